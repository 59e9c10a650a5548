import { playbackMessages } from "~/features/player/messages.ts";
import { editionFor, getLessonMedia, readableLesson } from "~/features/player/playback.server.ts";
import { findWayOnAfter } from "~/features/redirects/missing-page.server.ts";
import { currentUser, servicesOf } from "~/platform/http/context.ts";
import { errorResponse, refusedJson } from "~/platform/utils/errors.ts";
import type { Route } from "./+types/media.ts";

/** Fresh URLs for the media of `?lesson=…`, for a player whose URLs expire. */
export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  const viewer = currentUser(context);
  if (!viewer) return errorResponse("unauthenticated", playbackMessages.signedOut);
  const services = servicesOf(context);
  try {
    const key = url.searchParams.get("lesson");
    const lesson = await readableLesson(services, { viewer, slug: params.slug, key });
    const media = await getLessonMedia(services, {
      userId: viewer.id,
      lessonId: lesson.id,
      edition: editionFor(request.headers, url),
    });
    return Response.json(media, { headers: { "Cache-Control": "private, no-store" } });
  } catch (error) {
    return (await findWayOnAfter(error, { context, url })) ?? refusedJson(error);
  }
}
