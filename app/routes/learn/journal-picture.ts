import { setTimeout as pause } from "node:timers/promises";
import { redirect } from "react-router";
import { authPath } from "~/features/auth/rules.ts";
import { signedOutWhileWriting } from "~/features/journal/messages.ts";
import { photographMessages, shownPhotograph } from "~/features/journal/photograph-messages.ts";
import {
  addPhotograph,
  deletePhotograph,
  readPhotograph,
} from "~/features/journal/photographs.server.ts";
import { currentUser, servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { readForm } from "~/platform/http/form.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { limitConcurrency } from "~/platform/http/limits.ts";
import { dateInWords, namedUtc } from "~/platform/time/words.ts";
import { errorResponse, methodNotAllowed, refusedJson } from "~/platform/utils/errors.ts";
import type { Route } from "./+types/journal-picture.ts";

export const handle = { methods: ["GET", "HEAD", "POST", "DELETE"] } satisfies RouteHandle;

// A picture is in memory while it is opened and sent.
const readings = limitConcurrency({ each: 12, all: 48 });
// A book asks for all its pictures at once: each waits for its turn, 10 seconds at most.
const turns = { everyMs: 50, most: 200 };

async function inTurn(userId: string) {
  for (let turn = 0; turn < turns.most; turn += 1) {
    const end = readings.begin(userId);
    if (end) return end;
    await pause(turns.everyMs);
  }
  return null;
}

/** A picture of one's own journal; for anybody else, admins included, there is none. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const viewer = currentUser(context);
  if (!viewer) throw redirect(authPath(url.pathname));
  const end = await inTurn(viewer.id);
  if (!end) return errorResponse("unavailable", photographMessages.manyAtOnce);
  try {
    const own = { userId: viewer.id, id: params.id };
    const bytes = await readPhotograph(servicesOf(context), own);
    if (!bytes) return errorResponse("not_found", photographMessages.missing);
    const headers = {
      "Content-Type": "image/webp",
      "Content-Disposition": 'inline; filename="handwritten-page.webp"',
      "Cache-Control": "private, no-store",
    };
    return new Response(new Uint8Array(bytes), { headers });
  } finally {
    end();
  }
}

/** POST adds a picture under the id that its page has made, once, however often it is sent: a form
 * with `lessonId`, `userId` and `picture` in, the picture as pages show it out. DELETE deletes it. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const services = servicesOf(context);
  const viewer = currentUser(context);
  if (!viewer) return errorResponse("unauthenticated", signedOutWhileWriting);
  const own = { userId: viewer.id, id: params.id };
  try {
    if (request.method === "DELETE") {
      await deletePhotograph(services, own);
      return new Response(null, { status: 204 });
    }
    if (request.method !== "POST") return methodNotAllowed(...handle.methods);
    const form = await readForm(request);
    const [source, userId, lessonId] = ["picture", "userId", "lessonId"].map((name) =>
      form.get(name),
    );
    if (userId !== viewer.id) return errorResponse("unauthenticated", signedOutWhileWriting);
    if (!(source instanceof Blob)) return errorResponse("invalid", photographMessages.none);
    const photograph = await addPhotograph(services, {
      ...own,
      lessonId: String(lessonId),
      source,
    });
    const timeZone = context.get(timeZoneContext);
    return Response.json(
      shownPhotograph(photograph, (date) => namedUtc(dateInWords(date, timeZone), timeZone)),
      { status: 201 },
    );
  } catch (error) {
    return refusedJson(error);
  }
}
