import { playbackMessages } from "~/features/player/messages.ts";
import { savePosition } from "~/features/player/playback.server.ts";
import { positionSave } from "~/features/player/schema.ts";
import { currentUser, servicesOf } from "~/platform/http/context.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { pace } from "~/platform/http/limits.ts";
import { errorResponse, methodNotAllowed, refusedJson } from "~/platform/utils/errors.ts";
import type { Route } from "./+types/position.ts";

export const handle = { methods: ["PUT"] } satisfies RouteHandle;

// A player saves every few seconds, and with each seek.
const positions = pace({ burst: 60, perSecond: 3 });

/** PUT saves a position in a video or an audio: JSON in, the position that stands now out. */
export async function action({ request, context }: Route.ActionArgs) {
  if (request.method !== "PUT") return methodNotAllowed(...handle.methods);
  const viewer = currentUser(context);
  if (!viewer) return errorResponse("unauthenticated", playbackMessages.signedOut);
  const save = positionSave.safeParse(await request.json().catch(() => null));
  if (!save.success) return errorResponse("invalid", playbackMessages.notAPosition);
  if (save.data.userId && save.data.userId !== viewer.id)
    return errorResponse("unauthenticated", playbackMessages.signedOut);
  if (positions.wait(viewer.id) > 0) return errorResponse("rate_limited", playbackMessages.tooFast);
  const saved = savePosition(servicesOf(context), { ...save.data, userId: viewer.id });
  return saved.then((position) => Response.json(position), refusedJson);
}

export function loader() {
  return methodNotAllowed(...handle.methods);
}
