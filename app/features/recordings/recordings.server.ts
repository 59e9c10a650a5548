import { createHash } from "node:crypto";
import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import { countOf, type Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import { withinLimit } from "~/platform/db/rate-limit.ts";
import type { Services } from "~/platform/http/services.ts";
import type { EmailRecordings } from "~/platform/markdown/mail.ts";
import type { MarkdownRecordings } from "~/platform/markdown/render.ts";
import { openLocalFile } from "~/platform/storage/local.ts";
import { recordingKey } from "~/platform/storage/storage.ts";
import { NoRoom, orNoRoom } from "~/platform/uploads/bytes.ts";
import { ReadFailed } from "~/platform/uploads/pieces.ts";
import { NotReceived, type ReceivedFile, receiveFile } from "~/platform/uploads/receive.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { maxRecordingBytes, recordingMessages, recordingsAnHour } from "./messages.ts";
import { type AddedRecording, recordingLength, recordingsIn, recordingType } from "./rules.ts";

type NewRecording = {
  /** As it comes; it is not read where the recording is refused before. */
  body: AsyncIterable<Uint8Array>;
  /** In bytes, as the sender says; null where it does not. */
  announced: number | null;
  userId: string;
};

/** Takes a recording, checks it by its bytes and stores it, until nothing has used it for
 * `unusedRecordingDays`.
 * @throws {Refused} invalid, too_large, rate_limited, no_room or unavailable, with the reason */
export async function addRecording(
  services: Services,
  { body, announced, userId }: NewRecording,
): Promise<AddedRecording> {
  if (announced === 0) throw new Refused("invalid", recordingMessages.empty);
  if (announced !== null && announced > maxRecordingBytes)
    throw new Refused("too_large", recordingMessages.tooLarge);
  const limit = { what: "recording", whose: userId, max: recordingsAnHour, windowSeconds: 3600 };
  if (!(await withinLimit(services, limit)))
    throw new Refused("rate_limited", recordingMessages.tooMany);
  if ((await services.uploads.room()) < 2 * maxRecordingBytes)
    throw new Refused("no_room", recordingMessages.noRoom);
  try {
    const bounds = { max: maxRecordingBytes, announced };
    return await receiveFile(body, bounds, (file) => store(services, file));
  } catch (error) {
    if (error instanceof NoRoom) throw new Refused("no_room", recordingMessages.noRoom);
    if (!(error instanceof NotReceived)) throw error;
    if (error.reason === "cut_off") throw new Refused("invalid", recordingMessages.cutOff);
    throw new Refused("too_large", recordingMessages.tooLarge);
  }
}

/** The row comes first, unused: what a crash leaves behind goes by itself. */
async function store(services: Services, file: ReceivedFile): Promise<AddedRecording> {
  const { db, clock, storage } = services;
  if (file.size === 0) throw new Refused("invalid", recordingMessages.empty);
  const { type, seconds } = await look(file.path);
  const [id, now] = [newId(), clock.now()];
  const hash = createHash("sha256").update(id).update(file.sha256).digest("hex").slice(0, 32);
  const row = { id, hash, type, bytes: file.size, seconds, createdAt: now, unusedSinceAt: now };
  await db.transaction(async (trx) => {
    await trx.insertInto("recordings").values(row).execute();
    await recordAudit(trx, services, { action: "newsletter.recording-added", id });
  });
  await orNoRoom(storage.moveFile("course-audio", recordingKey(row), file.path));
  return { id };
}

async function look(path: string) {
  const open = await openLocalFile(path);
  if (!open) throw new Error("what was received is not there");
  try {
    // Reads all formats: a site that gets no recording does without.
    const { inspect } = await import("~/platform/uploads/inspect.ts");
    const { extension, broken, tracks, durationMs } = await inspect(open);
    if (broken) throw new Refused("invalid", recordingMessages.broken);
    const type = recordingType(extension, tracks);
    if (!type) throw new Refused("invalid", recordingMessages.noSound);
    return { type, seconds: durationMs === null ? null : Math.round(durationMs / 1000) };
  } catch (error) {
    if (error instanceof ReadFailed) throw new Refused("unavailable", recordingMessages.slow);
    throw error;
  } finally {
    await open.close();
  }
}

// Of one text; the databases limit the values of a query.
const mostInText = 500;

async function recordingsOf(db: Query, words: string) {
  const ids = recordingsIn(words).slice(0, mostInText);
  if (ids.length === 0) return [];
  const found = db.selectFrom("recordings").select(["id", "hash", "type", "seconds"]);
  return (await found.where("id", "in", ids).execute()).map(({ id, hash, type, seconds }) => ({
    ...{ id, path: `/recordings/${hash}.${type}` },
    length: seconds === null ? null : recordingLength(seconds),
  }));
}

/** The recordings that an issue names, for its page. */
export async function pageRecordingsOf(db: Query, words: string): Promise<MarkdownRecordings> {
  const found = await recordingsOf(db, words);
  return Object.fromEntries(found.map(({ id, path, length }) => [id, { src: path, length }]));
}

/** As links in its email: to its page, where it can be heard among the words; without one (`online`),
 * to the recording itself. */
export async function emailRecordingsOf(
  db: Query,
  words: string,
  { origin, online }: { origin: string; online: string | null },
): Promise<EmailRecordings> {
  const found = await recordingsOf(db, words);
  return Object.fromEntries(found.map(({ id, path }) => [id, online ?? origin + path]));
}

/** Keeps the recordings in an issue for good, as `keepPictures` does. In the transaction that starts it.
 * @throws {Refused} invalid if one is not here any more */
export async function keepRecordings(trx: Query, words: string): Promise<void> {
  const ids = recordingsIn(words);
  if (ids.length === 0) return;
  await trx
    .updateTable("recordings")
    .set({ inVersion: true, unusedSinceAt: null })
    .where("id", "in", ids)
    .where("inVersion", "=", false)
    .execute();
  if ((await countOf(trx.selectFrom("recordings").where("id", "in", ids))) < ids.length)
    throw new Refused("invalid", recordingMessages.gone);
}
