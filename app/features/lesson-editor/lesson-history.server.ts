import { presentLessons } from "~/features/courses/courses.server.ts";
import { slugMessages } from "~/features/courses/messages.ts";
import { promptRows, rowsText } from "~/features/courses/prompts.ts";
import { findPictures } from "~/features/pictures/pictures.server.ts";
import { picturesIn } from "~/features/pictures/rules.ts";
import {
  type MarkedChange,
  shortened,
  wholeDifference,
  wordDifferences,
} from "~/features/versions/differences.server.ts";
import { versionMessages } from "~/features/versions/messages.ts";
import { findVersion, versionSubject } from "~/features/versions/versions.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { isId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { differences } from "./differences.ts";
import { readLessonVersion } from "./lesson-versions.server.ts";
import { findLesson, updateLesson } from "./lessons.server.ts";
import { type FieldName, type Fields, fieldLabels, formMessages } from "./messages.ts";
import { readLesson } from "./schema.ts";

/** A lesson's title and the pages above it; null if there is no such lesson. */
export async function findLessonPlace({ db }: Services, id: string) {
  if (!isId(id)) return null;
  const place = await presentLessons(db.read)
    .select(["lessons.title", "modules.id as moduleId", "modules.title as moduleTitle"])
    .select(["products.id as courseId", "products.title as courseTitle"])
    .where("lessons.id", "=", id)
    .executeTakeFirst();
  return place ?? null;
}

/** How a version differs from the lesson as it is stored, as if it were brought back now; null where
 * there is no such version. */
export async function compareLessonVersion({ db }: Services, id: string, number: number) {
  const [lesson, found] = await Promise.all([
    findLesson(db.read, id),
    findVersion(db.read, versionSubject("lesson", id), number),
  ]);
  const older = found && readLessonVersion(found.content);
  if (!lesson || !older) return null;
  const names = differences(older, lesson.fields);
  const modules = await moduleNames(db.read, [older.moduleId, lesson.moduleId]);
  const changes: MarkedChange[] = [];
  for (const name of names) {
    const [old, now] = [lesson.fields, older].map((fields) => inWords(name, fields, modules));
    const isText = name === "title" || name === "content" || name === "prompts";
    const pieces = (isText ? wordDifferences : wholeDifference)(old ?? "", now ?? "");
    const note = name === "content" ? await lostPicture(db.read, older.content) : null;
    changes.push({ field: name, label: fieldLabels[name], pieces: shortened(pieces), note });
  }
  const seen = { revision: lesson.revision, orderBefore: Number(lesson.fields.orderNum) };
  return { ...{ number, changes, seen }, who: found.who, createdAt: found.createdAt };
}

function inWords(name: FieldName, fields: Fields, modules: ReadonlyMap<string, string>): string {
  if (name === "moduleId") return modules.get(fields.moduleId) ?? "A module that was deleted";
  if (name !== "prompts") return fields[name];
  return (promptRows(fields.prompts) ?? [])
    .map(({ question, placeholder }, at) =>
      [`${at + 1}. ${question}`, placeholder && `Placeholder: ${placeholder}`]
        .filter(Boolean)
        .join("\n"),
    )
    .join("\n\n");
}

async function moduleNames(db: Query, ids: string[]): Promise<Map<string, string>> {
  const modules = await db
    .selectFrom("modules")
    .innerJoin("products", "products.id", "modules.productId")
    .select(["modules.id", "modules.title", "products.title as course"])
    .where("modules.id", "in", ids)
    .where("modules.deletedAt", "is", null)
    .where("products.deletedAt", "is", null)
    .execute();
  return new Map(modules.map(({ id, title, course }) => [id, `${course}: ${title}`]));
}

/** Pictures that no saved text shows are removed after a time, whatever older versions show. */
async function lostPicture(db: Query, markdown: string): Promise<string | null> {
  const ids = picturesIn(markdown);
  const here = await findPictures(db, ids.slice(0, 500));
  return here.length < ids.length ? versionMessages.lostPicture : null;
}

type Asked = {
  id: string;
  number: number;
  /** Of the lesson that the version was compared with. */
  revision: number;
  orderBefore: number;
};

/** Saves a lesson as one of its versions has it, as a new version; drafts stay.
 * @throws {Refused} not_found; conflict if the lesson was saved since, or the address is taken;
 * invalid for what can no longer be saved; {MarkdownRefused} */
export async function restoreLessonVersion(
  services: Services,
  { number, ...lesson }: Asked,
): Promise<void> {
  const found = await findVersion(services.db.read, versionSubject("lesson", lesson.id), number);
  const fields = found && readLessonVersion(found.content);
  if (!fields) throw new Refused("not_found", versionMessages.none);
  // An empty field would leave the prompts as they are.
  const read = readLesson({ ...fields, prompts: fields.prompts || rowsText([]) });
  if ("errors" in read) {
    const [first = formMessages.failed] = Object.values(read.errors);
    throw new Refused("invalid", versionMessages.refused(`${first}.`));
  }
  const result = await updateLesson(services, {
    ...{ ...lesson, ...read.values },
    prompts: read.prompts,
  });
  switch (result.kind) {
    case "stale":
      throw new Refused("conflict", versionMessages.changed("lesson"));
    case "slug":
      throw new Refused("conflict", versionMessages.refused(slugMessages.taken.lesson));
    case "module":
      throw new Refused("invalid", versionMessages.refused(versionMessages.moduleGone));
    case "gone":
      throw new Refused("not_found", formMessages.gone);
  }
}
