import { createHash } from "node:crypto";
import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import { countOf, type Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import { lockId } from "~/platform/db/locks.ts";
import { withinLimit } from "~/platform/db/rate-limit.ts";
import type { Services } from "~/platform/http/services.ts";
import { type PictureName, pictureKey } from "~/platform/pictures/keys.ts";
import { makePicture } from "~/platform/pictures/make-picture.ts";
import { type MadePicture, maxPictureBytes } from "~/platform/pictures/picture.ts";
import { putBytes } from "~/platform/storage/put-bytes.ts";
import { NoRoom, orNoRoom } from "~/platform/uploads/bytes.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { cardSize, emailWidth, pictureMessages, pictureWidths, uploadsAnHour } from "./messages.ts";
import {
  emailPicture,
  type ImageSource,
  lessonPicture,
  type PictureFacts,
  type PublicPicture,
  picturesIn,
  publicPicture,
} from "./rules.ts";

const facts = ["id", "hash", "lessonId", "width", "height", "widths", "forEmail"] as const;

type NewPicture = {
  bytes: Uint8Array;
  /** The lesson, saved or not, that it is for; null for a public picture. */
  lessonId: string | null;
  userId: string;
};

/** Makes a picture small and stores it, until nothing has used it for `unusedPictureDays`.
 * @throws {Refused} invalid, too_large, rate_limited, no_room or unavailable, with the reason */
export async function addPicture(services: Services, given: NewPicture): Promise<PictureFacts> {
  const { bytes, lessonId, userId } = given;
  const limit = { what: "picture", whose: userId, max: uploadsAnHour, windowSeconds: 3600 };
  if (!(await withinLimit(services, limit)))
    throw new Refused("rate_limited", pictureMessages.tooMany);
  if ((await services.uploads.room()) < maxPictureBytes)
    throw new Refused("no_room", pictureMessages.noRoom);
  const card = lessonId === null ? { card: cardSize, email: emailWidth } : {};
  const made = await makePicture(bytes, { widths: pictureWidths, ...card });
  const picture = await insert(services, { bytes, lessonId, made });
  try {
    await store(services, picture, made);
  } catch (error) {
    if (error instanceof NoRoom) throw new Refused("no_room", pictureMessages.noRoom);
    throw error;
  }
  return picture;
}

/** Unused from the beginning: what is never used, or whose files never arrive, goes by itself. Never
 * the row of an earlier picture: its files may be deleted at this moment. */
async function insert(
  { db, clock }: Services,
  given: Pick<NewPicture, "bytes" | "lessonId"> & { made: MadePicture },
): Promise<PictureFacts> {
  const { bytes, lessonId, made } = given;
  const { width, height, renditions } = made;
  const widths = renditions.filter(({ what }) => what === "width").map((one) => one.width);
  const [id, now] = [newId(), clock.now()];
  const hash = createHash("sha256").update(id).update(bytes).digest("hex").slice(0, 32);
  const row = {
    id,
    hash,
    lessonId,
    width,
    height,
    widths: JSON.stringify(widths),
    forEmail: lessonId === null,
  };
  return db.write
    .insertInto("pictures")
    .values({ ...row, createdAt: now, unusedSinceAt: now })
    .returning(facts)
    .executeTakeFirstOrThrow();
}

async function store({ storage }: Services, picture: PictureName, made: MadePicture) {
  for (const { what, width, bytes } of made.renditions) {
    const key = pictureKey(picture, what === "width" ? width : what);
    await orNoRoom(putBytes(storage, { bucket: "pictures", key }, bytes));
  }
}

export async function findPictures(db: Query, ids: readonly string[]): Promise<PictureFacts[]> {
  if (ids.length === 0) return [];
  return db.selectFrom("pictures").select(facts).where("id", "in", ids).execute();
}

// Of one text; the databases limit the values of a query.
const mostInText = 500;

/** The pictures that a lesson's Markdown names and that are here, for its renderer. */
export async function imagesOf(
  { db }: Pick<Services, "db">,
  markdown: string,
): Promise<Record<string, ImageSource>> {
  const found = await findPictures(db.write, picturesIn(markdown).slice(0, mostInText));
  return Object.fromEntries(found.map((picture) => [picture.id, lessonPicture(picture)]));
}

/** The public ones of the pictures that are named in the words of a page, for its renderer. */
export async function publicImagesOf(
  db: Query,
  words: string,
): Promise<Record<string, ImageSource>> {
  const found = await findPictures(db, picturesIn(words).slice(0, mostInText));
  const open = found.filter(({ lessonId }) => lessonId === null);
  return Object.fromEntries(open.map((picture) => [picture.id, publicPicture(picture, "")]));
}

/** The pictures that are named in an issue of the newsletter, as emails show them: in full, since an
 * email has no site around it. Older ones, which have no JPEG, come as WebP. */
export async function emailImagesOf(
  db: Query,
  words: string,
  origin: string,
): Promise<Record<string, { src: string; width: number; height: number }>> {
  const found = await findPictures(db, picturesIn(words).slice(0, mostInText));
  const open = found.filter(({ lessonId }) => lessonId === null);
  return Object.fromEntries(open.map((picture) => [picture.id, emailPicture(picture, origin)]));
}

/** Keeps the pictures in the words of a page for good: each version can be brought back, and a release
 * may wait for months. In the transaction that stores the words.
 * @throws {Refused} invalid if one is not here any more */
export async function keepPictures(trx: Query, words: string): Promise<void> {
  const ids = picturesIn(words);
  if (ids.length === 0) return;
  // Rows that are kept already are not locked: another release may hold them.
  await trx
    .updateTable("pictures")
    .set({ inVersion: true, unusedSinceAt: null })
    .where("id", "in", ids)
    .where("lessonId", "is", null)
    .where("inVersion", "=", false)
    .execute();
  const kept = trx.selectFrom("pictures").where("id", "in", ids).where("inVersion", "=", true);
  if ((await countOf(kept)) < ids.length) throw new Refused("invalid", pictureMessages.gone);
}

/** Notes which pictures a lesson's text shows: its readers may load them. In the transaction that
 * saves the text. */
export async function notePictures(
  trx: Query,
  { lessonId, pictureIds }: { lessonId: string; pictureIds: readonly string[] },
): Promise<void> {
  const own = trx.deleteFrom("pictureUses").where("lessonId", "=", lessonId);
  await own.where("what", "=", "text").execute();
  const here = await findPictures(trx, pictureIds);
  if (here.length === 0) return;
  const uses = here.map(({ id }) => ({ lessonId, pictureId: id, what: "text" as const }));
  await trx.insertInto("pictureUses").values(uses).execute();
  await trx
    .updateTable("pictures")
    .set({ unusedSinceAt: null })
    .where("id", "in", [...pictureIds])
    .where("unusedSinceAt", "is not", null)
    .execute();
}

/** A copied lesson shows the pictures of its original. */
export async function copyPictureUses(trx: Query, from: string, to: string): Promise<void> {
  await trx
    .insertInto("pictureUses")
    .columns(["lessonId", "pictureId", "what"])
    .expression((eb) =>
      eb
        .selectFrom("pictureUses")
        .select([eb.val(to).as("lessonId"), "pictureId", "what"])
        .where("lessonId", "=", from),
    )
    .execute();
}

/** The covers of courses, by the id of the picture. */
export async function coversOf<C extends { coverId: string | null; coverAlt: string | null }>(
  db: Query,
  courses: readonly C[],
): Promise<(Omit<C, "coverId" | "coverAlt"> & { cover: PublicPicture | null })[]> {
  const ids = courses.flatMap(({ coverId }) => coverId ?? []);
  const byId = new Map((await findPictures(db, ids)).map((picture) => [picture.id, picture]));
  return courses.map(({ coverId, coverAlt, ...course }) => {
    const picture = coverId === null ? undefined : byId.get(coverId);
    return { ...course, cover: picture ? publicPicture(picture, coverAlt ?? "") : null };
  });
}

type Cover = {
  courseId: string;
  /** Null removes it; left out, the one that is there is described. */
  pictureId?: string | null;
  alt: string;
};

/** Sets, describes or removes the cover of a course. It is no part of the form's revision: whoever
 * edits the course's text overwrites no cover. @throws {Refused} not_found */
export async function setCover(services: Services, cover: Cover): Promise<void> {
  const { courseId, pictureId, alt } = cover;
  await services.db.transaction(async (trx) => {
    const course = await trx
      .updateTable("products")
      .set({ coverAlt: pictureId === null ? null : alt, updatedAt: services.clock.now() })
      .$if(pictureId !== undefined, (some) => some.set({ coverId: pictureId ?? null }))
      .$if(pictureId === undefined, (some) => some.where("coverId", "is not", null))
      .where("id", "=", courseId)
      .where("deletedAt", "is", null)
      .returning("title")
      .executeTakeFirst();
    if (!course) throw new Refused("not_found", pictureMessages.noCourse);
    if (pictureId) await use(trx, pictureId);
    const action = pictureId === null ? "course.cover-removed" : "course.cover-set";
    await recordAudit(trx, services, { action, id: courseId, label: course.title });
  });
}

/** The picture that a browser shows before a lesson's video plays; of a lesson saved or not. */
export async function setPoster(
  services: Services,
  { lessonId, pictureId }: { lessonId: string; pictureId: string | null },
): Promise<void> {
  await services.db.transaction(async (trx) => {
    await lockId(services.db, trx, lessonId);
    const lesson = await trx
      .selectFrom("lessons")
      .select("title")
      .where("id", "=", lessonId)
      .executeTakeFirst();
    const posters = trx.deleteFrom("pictureUses").where("lessonId", "=", lessonId);
    await posters.where("what", "=", "poster").execute();
    if (pictureId) {
      await trx.insertInto("pictureUses").values({ lessonId, pictureId, what: "poster" }).execute();
      await use(trx, pictureId);
    }
    const action = pictureId ? "lesson.poster-set" : "lesson.poster-removed";
    await recordAudit(trx, services, { action, id: lessonId, label: lesson?.title ?? "" });
  });
}

/** Of a lesson; null without one. */
export async function findPoster(db: Query, lessonId: string): Promise<ImageSource | null> {
  const picture = await db
    .selectFrom("pictureUses")
    .innerJoin("pictures", "pictures.id", "pictureUses.pictureId")
    .select(["pictures.id", "hash", "pictures.lessonId", "width", "height", "widths", "forEmail"])
    .where("pictureUses.lessonId", "=", lessonId)
    .where("what", "=", "poster")
    .executeTakeFirst();
  return picture ? lessonPicture(picture) : null;
}

export const portraitSetting = "coach-portrait";

/** The coach's portrait on the public pages; null where none was uploaded. */
export async function findPortrait(
  { db }: Pick<Services, "db">,
  alt: string,
): Promise<PublicPicture | null> {
  const picture = await db.read
    .selectFrom("settings")
    .innerJoin("pictures", "pictures.id", "settings.value")
    .select(["pictures.id", "hash", "lessonId", "width", "height", "widths", "forEmail"])
    .where("settings.name", "=", portraitSetting)
    .executeTakeFirst();
  return picture ? publicPicture(picture, alt) : null;
}

/** Sets or (null) removes it. The page cache learns of it by the content's version. */
export async function setPortrait(services: Services, pictureId: string | null): Promise<void> {
  await services.db.transaction(async (trx) => {
    await trx.deleteFrom("settings").where("name", "=", portraitSetting).execute();
    if (pictureId) {
      const row = { name: portraitSetting, value: pictureId, createdAt: services.clock.now() };
      await trx.insertInto("settings").values(row).execute();
      await use(trx, pictureId);
    }
    const action = pictureId ? "site.portrait-set" : "site.portrait-removed";
    await recordAudit(trx, services, { action });
    await trx
      .updateTable("contentVersion")
      .set((eb) => ({ version: eb("version", "+", 1) }))
      .execute();
  });
}

async function use(trx: Query, pictureId: string): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable("pictures")
    .set({ unusedSinceAt: null })
    .where("id", "=", pictureId)
    .executeTakeFirstOrThrow();
  if (!numUpdatedRows) throw new Refused("not_found", pictureMessages.gone);
}
