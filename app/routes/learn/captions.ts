import { getCaptions } from "~/features/courses/captions/queries.server.ts";
import { readableLesson } from "~/features/learning/playback/queries.server.ts";
import { messages } from "~/features/learning/playback/texts.ts";
import { servicesOf, viewerOf } from "~/platform/http/context.ts";
import { errorResponse, Refused } from "~/platform/http/errors.ts";
import type { Route } from "./+types/captions.ts";

/** The captions of the video of `?lesson=…`, as WebVTT. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const viewer = viewerOf(context);
  if (!viewer) return errorResponse("unauthenticated", messages.signedOut);
  const services = servicesOf(context);
  try {
    const key = url.searchParams.get("lesson");
    const lesson = await readableLesson(services, { viewer, slug: params.slug, key });
    const captions = await getCaptions(services, lesson.id);
    if (!captions) return errorResponse("not_found", messages.noCaptions);
    const headers = {
      "Content-Type": "text/vtt; charset=utf-8",
      "Cache-Control": "private, no-store",
    };
    return new Response(captions, { headers });
  } catch (error) {
    if (error instanceof Refused) return errorResponse(error.code, error.message);
    throw error;
  }
}
