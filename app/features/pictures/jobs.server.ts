import type { ExpressionBuilder } from "kysely";
import type { Query } from "~/platform/db/database.ts";
import type { Tables } from "~/platform/db/tables.ts";
import type { Services } from "~/platform/http/services.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { pictureKeys } from "~/platform/pictures/keys.ts";
import { unusedPictureDays } from "./messages.ts";
import { portraitSetting } from "./pictures.server.ts";
import { picturesIn } from "./rules.ts";

const dayMs = 24 * 3600_000;

/** Deletes pictures that nothing has used for `unusedPictureDays`: no text of a lesson or of a draft,
 * no version of a page, no poster, cover or portrait. What was deleted counts as long as it can be
 * restored. Concurrent runs are safe, and so is a stop at any step. */
export const cleanUpPictures: RegularTask = {
  name: "pictures.tidy",
  async run(services) {
    const before = new Date(services.clock.now().getTime() - unusedPictureDays * dayMs);
    await noteUse(services, before);
    await removeUnused(services, before);
  },
};

function isUsed(eb: ExpressionBuilder<Tables, "pictures">, restorable: Date) {
  const inLesson = eb
    .selectFrom("pictureUses")
    .innerJoin("lessons", "lessons.id", "pictureUses.lessonId")
    .select("lessons.id")
    .whereRef("pictureUses.pictureId", "=", "pictures.id")
    .where(({ or, eb }) =>
      or([eb("lessons.deletedAt", "is", null), eb("lessons.deletedAt", ">", restorable)]),
    );
  // The poster of a lesson that is not saved yet.
  const inDraft = eb
    .selectFrom("pictureUses")
    .innerJoin("drafts", "drafts.lessonId", "pictureUses.lessonId")
    .leftJoin("lessons", "lessons.id", "pictureUses.lessonId")
    .select("drafts.id")
    .whereRef("pictureUses.pictureId", "=", "pictures.id")
    .where("drafts.kind", "=", "lesson")
    .where("drafts.discardedAt", "is", null)
    .where("lessons.id", "is", null);
  const asCover = eb
    .selectFrom("products")
    .select("products.id")
    .whereRef("products.coverId", "=", "pictures.id")
    .where(({ or, eb }) => or([eb("deletedAt", "is", null), eb("deletedAt", ">", restorable)]));
  const asPortrait = eb
    .selectFrom("settings")
    .select("settings.name")
    .where("settings.name", "=", portraitSetting)
    .whereRef("settings.value", "=", "pictures.id");
  const elsewhere = [inLesson, inDraft, asCover, asPortrait].map((one) => eb.exists(one));
  return eb.or([eb("pictures.inVersion", "=", true), ...elsewhere]);
}

async function noteUse({ db, clock }: Services, restorable: Date) {
  const pictures = db.write.updateTable("pictures");
  await pictures
    .set({ unusedSinceAt: null })
    .where("unusedSinceAt", "is not", null)
    .where((eb) => isUsed(eb, restorable))
    .execute();
  await pictures
    .set({ unusedSinceAt: clock.now() })
    .where("unusedSinceAt", "is", null)
    .where((eb) => eb.not(isUsed(eb, restorable)))
    .execute();
}

async function removeUnused(services: Services, before: Date) {
  const { db, storage, log } = services;
  const old = await db.write
    .selectFrom("pictures")
    .select("id")
    .where("unusedSinceAt", "<", before)
    .orderBy("unusedSinceAt")
    .limit(mostAtOnce)
    .execute();
  if (old.length === 0) return;
  const inDrafts = await namedInDrafts(db.read);
  const ids = old.map(({ id }) => id).filter((id) => !inDrafts.has(id));
  let removed = 0;
  for (const id of ids) {
    // A course deleted long ago may still name it.
    const picture = await db.transaction(async (trx) => {
      const covers = trx.updateTable("products").set({ coverId: null, coverAlt: null });
      await covers.where("coverId", "=", id).where("deletedAt", "<=", before).execute();
      return trx
        .deleteFrom("pictures")
        .where("id", "=", id)
        .where("unusedSinceAt", "<", before)
        .where((eb) => eb.not(isUsed(eb, before)))
        .returning(["id", "hash", "lessonId", "widths", "forEmail"])
        .executeTakeFirst();
    });
    if (!picture) continue;
    // What a crash leaves of them are stray files (features/lesson-media/jobs.server.ts).
    for (const key of pictureKeys(picture)) await storage.remove("pictures", key);
    removed += 1;
  }
  if (removed > 0) log.info({ pictures: removed }, "unused pictures removed");
}

/** An hour's share: the rest goes in the next hour. */
const mostAtOnce = 500;
const draftsAtOnce = 20;

async function namedInDrafts(db: Query): Promise<Set<string>> {
  const named = new Set<string>();
  const ofPages = db.selectFrom("pageDrafts").select("value");
  for (const { value } of await ofPages.where("value", "like", "%picture:%").execute())
    for (const id of picturesIn(value)) named.add(id);
  const ofIssues = db.selectFrom("newsletterIssues").select("body").where("state", "=", "draft");
  for (const { body } of await ofIssues.where("body", "like", "%picture:%").execute())
    for (const id of picturesIn(body)) named.add(id);
  for (let after = ""; ; ) {
    const drafts = await db
      .selectFrom("drafts")
      .select(["id", "content"])
      .where("kind", "=", "lesson")
      .where("discardedAt", "is", null)
      .where("content", "is not", null)
      .where("id", ">", after)
      .orderBy("id")
      .limit(draftsAtOnce)
      .execute();
    for (const { content } of drafts) for (const id of picturesIn(content ?? "")) named.add(id);
    const last = drafts.at(-1);
    if (!last || drafts.length < draftsAtOnce) return named;
    after = last.id;
  }
}
