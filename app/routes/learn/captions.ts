import { getCaptions } from "~/features/lesson-media/captions.server.ts";
import { playbackMessages } from "~/features/player/messages.ts";
import { readableLesson } from "~/features/player/playback.server.ts";
import { findWayOnAfter } from "~/features/redirects/missing-page.server.ts";
import { currentUser, servicesOf } from "~/platform/http/context.ts";
import { errorResponse, refusedJson } from "~/platform/utils/errors.ts";
import type { Route } from "./+types/captions.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const viewer = currentUser(context);
  if (!viewer) return errorResponse("unauthenticated", playbackMessages.signedOut);
  const services = servicesOf(context);
  try {
    const key = url.searchParams.get("lesson");
    const lesson = await readableLesson(services, { viewer, slug: params.slug, key });
    const captions = await getCaptions(services, lesson.id);
    if (!captions) return errorResponse("not_found", playbackMessages.noCaptions);
    const headers = {
      "Content-Type": "text/vtt; charset=utf-8",
      "Cache-Control": "private, no-store",
    };
    return new Response(captions, { headers });
  } catch (error) {
    return (await findWayOnAfter(error, { context, url })) ?? refusedJson(error);
  }
}
