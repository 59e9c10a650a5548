import { pictureMessages } from "~/features/pictures/messages.ts";
import { readLessonPicture } from "~/features/player/lesson-pictures.server.ts";
import { currentUser, servicesOf } from "~/platform/http/context.ts";
import { matchesTag } from "~/platform/http/send-file.ts";
import { errorResponse, refusedJson } from "~/platform/utils/errors.ts";
import type { Route } from "./+types/picture.ts";

const name = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})-(\d{1,4})\.webp$/;

/** A picture of a lesson's text, or the poster of its video, under the lock of its lesson. The
 * address is the same for everybody: a lesson's HTML holds it. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const viewer = currentUser(context);
  if (!viewer) return errorResponse("unauthenticated", pictureMessages.signedOut);
  const [, id = "", width] = name.exec(params.name) ?? [];
  try {
    const asked = { viewer, id, width: Number(width) };
    const bytes = await readLessonPicture(servicesOf(context), asked);
    const tag = `"${id}-${width}"`;
    // As long as an address of the lesson's media; signing out drops it from the browser.
    const headers = {
      "Content-Type": "image/webp",
      "Cache-Control": "private, max-age=3600",
      ETag: tag,
    };
    if (matchesTag(request.headers.get("if-none-match"), tag))
      return new Response(null, { status: 304, headers });
    return new Response(bytes, { headers });
  } catch (error) {
    return refusedJson(error);
  }
}
