import { getLessonMedia, readableLesson } from "~/features/learning/playback/queries.server.ts";
import { messages } from "~/features/learning/playback/texts.ts";
import { servicesOf, viewerOf } from "~/platform/http/context.ts";
import { errorResponse, Refused } from "~/platform/http/errors.ts";
import type { Route } from "./+types/media.ts";

/** Fresh addresses for the media of `?lesson=…`, for a player whose own come to their end. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const viewer = viewerOf(context);
  if (!viewer) return errorResponse("unauthenticated", messages.signedOut);
  const services = servicesOf(context);
  try {
    const key = url.searchParams.get("lesson");
    const lesson = await readableLesson(services, { viewer, slug: params.slug, key });
    const media = await getLessonMedia(services, { userId: viewer.id, lessonId: lesson.id });
    return Response.json(media, { headers: { "Cache-Control": "private, no-store" } });
  } catch (error) {
    if (error instanceof Refused) return errorResponse(error.code, error.message);
    throw error;
  }
}
