import { createHash } from "node:crypto";
import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import { isId } from "~/platform/db/ids.ts";
import type { Toast } from "~/platform/http/flash.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { decodeCaptions, readCaptions, writeVtt } from "./captions.ts";
import {
  captionsErrors,
  captionsLimit,
  captionsMessages,
  type MediaKind,
  transcriptLimit,
} from "./messages.ts";
import type { CaptionsRequest, TranscriptSaved } from "./schema.ts";

/** The captions of a lesson's video as WebVTT; null if it has none. The caller checks access. */
export async function getCaptions({ db }: Services, lessonId: string): Promise<string | null> {
  if (!isId(lessonId)) return null;
  const row = await db.read
    .selectFrom("lessons")
    .select("videoCaptions")
    .where("id", "=", lessonId)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  return row?.videoCaptions ?? null;
}

/** Names a text, so that a change can say which version it started from. */
export function versionOf(text: string | null): string {
  return createHash("sha256")
    .update(text ?? "")
    .digest("base64url")
    .slice(0, 16);
}

/** `toast` is null if nothing was saved: only a script can show why. */
type Answered = { json: unknown; toast: Toast | null };

/** Handles a form of captions or transcripts.
 * @throws {Refused} invalid, not_found; conflict if the stored captions are not the form's */
export async function answerCaptionsRequest(
  services: Services,
  lessonId: string,
  request: CaptionsRequest,
): Promise<Answered> {
  if (request.intent === "remove") {
    await removeCaptions(services, { lessonId, version: request.version });
    return { json: {}, toast: captionsMessages.removed };
  }
  if (request.intent === "transcript") {
    const saved = await saveTranscript(services, { lessonId, ...request });
    return { json: saved, toast: saved.is === "saved" ? captionsMessages.transcriptSaved : null };
  }
  const { file, text = "", version } = request;
  const source = file?.size ? await file.bytes() : new TextEncoder().encode(text);
  const { cues, converted } = await saveCaptions(services, { lessonId, source, version });
  return {
    json: { cues, converted },
    toast: converted ? captionsMessages.converted : captionsMessages.saved,
  };
}

/** Saves a video's captions over those that `version` names. Idempotent. Returns their number and
 * whether they were SubRip.
 * @throws {Refused} invalid, naming the line; not_found; conflict if others are stored by now */
export async function saveCaptions(
  services: Services,
  { lessonId, source, version }: { lessonId: string; source: Uint8Array; version: string },
): Promise<{ cues: number; converted: boolean }> {
  if (source.byteLength > captionsLimit) throw new Refused("invalid", captionsErrors.tooLong);
  const read = readCaptions(decodeCaptions(source));
  if (!read.ok) throw new Refused("invalid", read.message);
  await setCaptions(services, { lessonId, version, captions: writeVtt(read.cues) });
  return { cues: read.cues.length, converted: read.converted };
}

/** Deletes the captions that `version` names. Idempotent.
 * @throws {Refused} not_found; conflict if the video has others by now */
export async function removeCaptions(
  services: Services,
  { lessonId, version }: { lessonId: string; version: string },
): Promise<void> {
  await setCaptions(services, { lessonId, version, captions: null });
}

type TranscriptSave = { lessonId: string; kind: MediaKind; text: string; version: string };

/** Saves a transcript over the one that `version` names; otherwise writes nothing and returns the
 * stored one. Empty text deletes it. @throws {Refused} invalid, not_found */
export async function saveTranscript(
  services: Services,
  save: TranscriptSave,
): Promise<TranscriptSaved> {
  const { db } = services;
  const { lessonId, kind, text, version } = save;
  const typed = text.replaceAll(/\r\n?/g, "\n").trim();
  if (typed.length > transcriptLimit)
    throw new Refused("invalid", captionsMessages.transcriptTooLong);
  const column = kind === "video" ? "videoTranscript" : "audioTranscript";
  const before = await readColumn(services, lessonId, column);
  // A repeated request, because the first answer was lost: it is stored already.
  const isThere = (before ?? "") === typed;
  if (isThere || versionOf(before) !== version)
    return { is: isThere ? "saved" : "changed", transcript: named(before) };
  const isOurs = await db.transaction(async (trx) => {
    const lesson = await trx
      .updateTable("lessons")
      .set({ [column]: typed || null })
      .where("id", "=", lessonId)
      .where(column, "is not distinct from", before)
      .returning("title")
      .executeTakeFirst();
    const done = { id: lessonId, label: lesson?.title, details: { media: kind } };
    if (lesson) await recordAudit(trx, services, { action: "lesson.transcript-saved", ...done });
    return lesson !== undefined;
  });
  if (isOurs) return { is: "saved", transcript: named(typed) };
  // A concurrent save came first: the retry returns its text.
  return saveTranscript(services, save);
}

const named = (text: string | null) => ({ text: text ?? "", version: versionOf(text) });

type CaptionsSave = { lessonId: string; version: string; captions: string | null };

async function setCaptions(services: Services, save: CaptionsSave): Promise<void> {
  const { db } = services;
  const { lessonId, version, captions } = save;
  const before = await readColumn(services, lessonId, "videoCaptions");
  // A repeated request, because the first answer was lost.
  if (before === captions) return;
  if (versionOf(before) !== version)
    throw new Refused("conflict", captionsMessages.captionsChanged);
  const isOurs = await db.transaction(async (trx) => {
    const lesson = await trx
      .updateTable("lessons")
      .set({ videoCaptions: captions })
      .where("id", "=", lessonId)
      .where("videoCaptions", "is not distinct from", before)
      .returning("title")
      .executeTakeFirst();
    const action = captions === null ? "lesson.captions-removed" : "lesson.captions-saved";
    if (lesson) await recordAudit(trx, services, { action, id: lessonId, label: lesson.title });
    return lesson !== undefined;
  });
  // A concurrent save came first.
  if (!isOurs) await setCaptions(services, save);
}

type Column = "videoCaptions" | "videoTranscript" | "audioTranscript";

/** Reads through db.write. @throws {Refused} not_found */
async function readColumn(
  { db }: Services,
  lessonId: string,
  column: Column,
): Promise<string | null> {
  if (!isId(lessonId)) throw new Refused("not_found", captionsMessages.noLesson);
  const lesson = await db.write
    .selectFrom("lessons")
    .select([column])
    .where("id", "=", lessonId)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  if (!lesson) throw new Refused("not_found", captionsMessages.noLesson);
  return lesson[column] ?? null;
}
