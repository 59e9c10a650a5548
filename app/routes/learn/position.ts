import { savePosition } from "~/features/learning/playback/commands.server.ts";
import { positionSave } from "~/features/learning/playback/schema.ts";
import { messages } from "~/features/learning/playback/texts.ts";
import { servicesOf, viewerOf } from "~/platform/http/context.ts";
import { errorResponse, methodNotAllowed, Refused } from "~/platform/http/errors.ts";
import { pace } from "~/platform/http/pace.ts";
import type { Route } from "./+types/position.ts";

export const handle = { methods: ["PUT"] };

/** A player says every few seconds where it is, and at each leap. */
const positions = pace({ burst: 60, perSecond: 3 });

/** PUT remembers where somebody is in a video or an audio: JSON in, the position that stands out. */
export async function action({ request, context }: Route.ActionArgs) {
  if (request.method !== "PUT") return methodNotAllowed(...handle.methods);
  const viewer = viewerOf(context);
  if (!viewer) return errorResponse("unauthenticated", messages.signedOut);
  const save = positionSave.safeParse(await request.json().catch(() => null));
  if (!save.success) return errorResponse("invalid", messages.notAPosition);
  if (save.data.userId && save.data.userId !== viewer.id)
    return errorResponse("unauthenticated", messages.signedOut);
  if (positions.wait(viewer.id) > 0) return errorResponse("rate_limited", messages.tooFast);
  try {
    const own = { ...save.data, userId: viewer.id };
    return Response.json(await savePosition(servicesOf(context), own));
  } catch (error) {
    if (error instanceof Refused) return errorResponse(error.code, error.message);
    throw error;
  }
}

export function loader() {
  return methodNotAllowed(...handle.methods);
}
