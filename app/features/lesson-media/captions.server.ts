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
import type { CaptionsRequest } from "./schema.ts";

export type Transcript = { text: string; version: string };
/** The result of saving a transcript; `changed` returns the one that is stored now. */
export type TranscriptSaved = { is: "saved" | "changed"; transcript: Transcript };

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
  const hash = createHash("sha256").update(text ?? "");
  return hash.digest("base64url").slice(0, 16);
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
  const { version } = request;
  if (request.intent === "remove") {
    await setCaptions(services, { lessonId, version, captions: null });
    return { json: {}, toast: captionsMessages.removed };
  }
  if (request.intent === "transcript") {
    const saved = await saveTranscript(services, { lessonId, ...request });
    return { json: saved, toast: saved.is === "saved" ? captionsMessages.transcriptSaved : null };
  }
  const { file, text = "" } = request;
  const source = file?.size ? await file.bytes() : new TextEncoder().encode(text);
  const saved = await saveCaptions(services, { lessonId, source, version });
  return {
    json: saved,
    toast: saved.converted ? captionsMessages.converted : captionsMessages.saved,
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

type CaptionsSave = { lessonId: string; version: string; captions: string | null };

async function setCaptions(services: Services, save: CaptionsSave): Promise<void> {
  const { lessonId, version, captions } = save;
  const stored = await replaceText(services, {
    lessonId,
    version,
    column: "videoCaptions",
    text: captions,
    done: { action: captions === null ? "lesson.captions-removed" : "lesson.captions-saved" },
  });
  if (stored !== captions) throw new Refused("conflict", captionsMessages.captionsChanged);
}

type TranscriptSave = { lessonId: string; kind: MediaKind; text: string; version: string };

/** Saves a transcript over the one that `version` names; otherwise writes nothing and returns the
 * stored one. Empty text deletes it. @throws {Refused} invalid, not_found */
export async function saveTranscript(
  services: Services,
  { lessonId, kind, text, version }: TranscriptSave,
): Promise<TranscriptSaved> {
  const typed = text.replaceAll(/\r\n?/g, "\n").trim() || null;
  if (typed && typed.length > transcriptLimit)
    throw new Refused("invalid", captionsMessages.transcriptTooLong);
  const stored = await replaceText(services, {
    lessonId,
    version,
    column: kind === "video" ? "videoTranscript" : "audioTranscript",
    text: typed,
    done: { action: "lesson.transcript-saved", details: { media: kind } },
  });
  return {
    is: stored === typed ? "saved" : "changed",
    transcript: { text: stored ?? "", version: versionOf(stored) },
  };
}

type TextChange = {
  lessonId: string;
  column: "videoCaptions" | "videoTranscript" | "audioTranscript";
  text: string | null;
  version: string;
  done: Pick<Parameters<typeof recordAudit>[2], "action" | "details">;
};

/** Stores a text over the one that `version` names. @returns what is stored now: this text, also if
 * it was sent twice, or another one. @throws {Refused} not_found */
async function replaceText(services: Services, change: TextChange): Promise<string | null> {
  const { db } = services;
  const { lessonId, column, text, version, done } = change;
  const before = await readText(services, lessonId, column);
  if (before === text || versionOf(before) !== version) return before;
  const isOurs = await db.transaction(async (trx) => {
    const lesson = await trx
      .updateTable("lessons")
      .set({ [column]: text })
      .where("id", "=", lessonId)
      .where(column, "is not distinct from", before)
      .returning("title")
      .executeTakeFirst();
    if (lesson) await recordAudit(trx, services, { ...done, id: lessonId, label: lesson.title });
    return lesson !== undefined;
  });
  // Otherwise a concurrent save came first.
  return isOurs ? text : replaceText(services, change);
}

async function readText({ db }: Services, lessonId: string, column: TextChange["column"]) {
  const lesson = isId(lessonId)
    ? await db.write
        .selectFrom("lessons")
        .select(column)
        .where("id", "=", lessonId)
        .where("deletedAt", "is", null)
        .executeTakeFirst()
    : undefined;
  if (!lesson) throw new Refused("not_found", captionsMessages.noLesson);
  return lesson[column] ?? null;
}
