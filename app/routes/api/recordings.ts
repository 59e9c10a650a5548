import { recordingMessages, recordingsPath } from "~/features/recordings/messages.ts";
import { addRecording } from "~/features/recordings/recordings.server.ts";
import { readSession } from "~/platform/auth/session.ts";
import type { Services } from "~/platform/http/services.ts";
import { logRefusal } from "~/platform/log/log.ts";
import { errorResponse, refusedJson } from "~/platform/utils/errors.ts";

/** `POST /admin/newsletter/recordings`, the file as the body: `{id}`. It is read as it comes, so that
 * fifty megabytes are never in memory. Refusals are sentences to show. */
export async function receiveRecording(services: Services, request: Request): Promise<Response> {
  const { viewer } = await readSession(services, request.headers);
  if (!viewer) return errorResponse("unauthenticated", recordingMessages.signedOut);
  if (viewer.role !== "admin") {
    logRefusal(services.log, "role", recordingsPath);
    return errorResponse("forbidden", recordingMessages.notAdmin);
  }
  const { id: userId, name } = viewer;
  const length = request.headers.get("content-length");
  const announced = length === null ? null : Number(length);
  const body = request.body ?? new ReadableStream({ start: (one) => one.close() });
  try {
    const asActor = { ...services, actor: { id: userId, name } };
    return Response.json(await addRecording(asActor, { body, announced, userId }));
  } catch (error) {
    return refusedJson(error);
  }
}
