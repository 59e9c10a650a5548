import { audit } from "~/features/accounts/audit/commands.server.ts";
import { isId } from "~/platform/db/ids.ts";
import { Refused } from "~/platform/http/errors.ts";
import type { Toast } from "~/platform/http/flash.ts";
import type { Services } from "~/platform/services.ts";
import type { MediaKind } from "../media/texts.ts";
import { versionOf } from "./queries.server.ts";
import { decodeCaptions, readCaptions, writeVtt } from "./rules.ts";
import type { CaptionsRequest, TranscriptSaved } from "./schema.ts";
import { captionsFaults, captionsLimit, captionsWords, transcriptLimit } from "./texts.ts";

/** `toast` is null where nothing was kept, and only a script can show why. */
type Answered = { json: unknown; toast: Toast | null };

/**
 * Does what a form of captions or transcripts asks for.
 * @throws {Refused} invalid, not_found, conflict when the captions are others than the form's
 */
export async function answerCaptionsRequest(
  services: Services,
  lessonId: string,
  request: CaptionsRequest,
): Promise<Answered> {
  if (request.intent === "remove") {
    await removeCaptions(services, { lessonId, version: request.version });
    return { json: {}, toast: captionsWords.removed };
  }
  if (request.intent === "transcript") {
    const saved = await saveTranscript(services, { lessonId, ...request });
    return { json: saved, toast: saved.is === "saved" ? captionsWords.transcriptSaved : null };
  }
  const { file, text = "", version } = request;
  const source = file?.size ? await file.bytes() : new TextEncoder().encode(text);
  const { cues, converted } = await saveCaptions(services, { lessonId, source, version });
  return {
    json: { cues, converted },
    toast: converted ? captionsWords.converted : captionsWords.saved,
  };
}

/**
 * Keeps the captions of a lesson's video, in place of those that `version` names. Twice is once.
 * @returns how many there are, and whether they were SubRip before
 * @throws {Refused} invalid, naming the line; not_found; conflict when it has others by now
 */
export async function saveCaptions(
  services: Services,
  { lessonId, source, version }: { lessonId: string; source: Uint8Array; version: string },
): Promise<{ cues: number; converted: boolean }> {
  if (source.byteLength > captionsLimit) throw new Refused("invalid", captionsFaults.tooLong);
  const read = readCaptions(decodeCaptions(source));
  if (!read.ok) throw new Refused("invalid", read.message);
  await setCaptions(services, { lessonId, version, captions: writeVtt(read.cues) });
  return { cues: read.cues.length, converted: read.converted };
}

/**
 * Takes away the captions that `version` names. Twice is once.
 * @throws {Refused} not_found; conflict when the video has others by now
 */
export async function removeCaptions(
  services: Services,
  { lessonId, version }: { lessonId: string; version: string },
): Promise<void> {
  await setCaptions(services, { lessonId, version, captions: null });
}

type TranscriptSave = { lessonId: string; kind: MediaKind; text: string; version: string };

/**
 * Keeps a transcript, unless it is another one than `version` names: then nothing is written,
 * and the one that is kept comes back. Empty text removes it.
 * @throws {Refused} invalid, not_found
 */
export async function saveTranscript(
  services: Services,
  save: TranscriptSave,
): Promise<TranscriptSaved> {
  const { db } = services;
  const { lessonId, kind, text, version } = save;
  const typed = text.replaceAll(/\r\n?/g, "\n").trim();
  if (typed.length > transcriptLimit) throw new Refused("invalid", captionsWords.transcriptTooLong);
  const column = kind === "video" ? "videoTranscript" : "audioTranscript";
  const before = await readColumn(services, lessonId, column);
  // Sent twice, because the first answer was lost: it is there already.
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
    if (lesson) await audit(trx, services, { action: "lesson.transcript-saved", ...done });
    return lesson !== undefined;
  });
  if (isOurs) return { is: "saved", transcript: named(typed) };
  // Somebody else was faster between the two: their words come back.
  return saveTranscript(services, save);
}

const named = (text: string | null) => ({ text: text ?? "", version: versionOf(text) });

type CaptionsSave = { lessonId: string; version: string; captions: string | null };

async function setCaptions(services: Services, save: CaptionsSave): Promise<void> {
  const { db } = services;
  const { lessonId, version, captions } = save;
  const before = await readColumn(services, lessonId, "videoCaptions");
  // Sent twice, because the first answer was lost.
  if (before === captions) return;
  if (versionOf(before) !== version) throw new Refused("conflict", captionsWords.captionsChanged);
  const isOurs = await db.transaction(async (trx) => {
    const lesson = await trx
      .updateTable("lessons")
      .set({ videoCaptions: captions })
      .where("id", "=", lessonId)
      .where("videoCaptions", "is not distinct from", before)
      .returning("title")
      .executeTakeFirst();
    const action = captions === null ? "lesson.captions-removed" : "lesson.captions-saved";
    if (lesson) await audit(trx, services, { action, id: lessonId, label: lesson.title });
    return lesson !== undefined;
  });
  // Somebody else was faster between the two.
  if (!isOurs) await setCaptions(services, save);
}

type Column = "videoCaptions" | "videoTranscript" | "audioTranscript";

/** What a lesson has now, from where it is written. @throws {Refused} not_found */
async function readColumn(
  { db }: Services,
  lessonId: string,
  column: Column,
): Promise<string | null> {
  if (!isId(lessonId)) throw new Refused("not_found", captionsWords.noLesson);
  const lesson = await db.write
    .selectFrom("lessons")
    .select([column])
    .where("id", "=", lessonId)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  if (!lesson) throw new Refused("not_found", captionsWords.noLesson);
  return lesson[column] ?? null;
}
