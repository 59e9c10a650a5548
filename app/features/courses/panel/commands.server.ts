import type { Services } from "~/platform/services.ts";
import { detachMedia, finishUpload } from "../media/commands.server.ts";
import type { MediaRequest } from "./schema.ts";

type Asked = MediaRequest & { lessonId: string; userId: string };

/**
 * Does what the media panel asks for: checks an upload and makes it the lesson's, or takes the
 * file that was shown away from the lesson. Twice is once.
 * @throws {Refused} not_found, conflict, invalid with the reason
 */
export async function answerMediaRequest(services: Services, asked: Asked): Promise<void> {
  const { lessonId, userId } = asked;
  if (asked.intent === "finish") await finishUpload(services, { uploadId: asked.uploadId, userId });
  else await detachMedia(services, { lessonId, kind: asked.kind, key: asked.key });
}
