import { data } from "react-router";
import { listCourseFilters, listModules } from "~/features/courses/courses.server.ts";
import { findVersion } from "~/features/versions/versions.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { isId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { dateAndTime } from "~/platform/time/words.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { type Content, type Field, type ListField, pageFields } from "~content/fields.ts";
import { contentSchema } from "~content/page-schema.ts";
import { firstCoursePages, firstEdition } from "./first-edition.server.ts";
import { pageKinds, pageMessages } from "./messages.ts";
import { coursePrefix, kindOf, pageSubject } from "./rules.ts";

/** A page that an admin edits. `name` is 'home' or 'course:ID'. */
export type EditedPage = {
  name: string;
  kind: keyof typeof pageFields;
  subject: string;
  label: string;
  /** Where visitors see it; null where it is a part of every page. */
  path: string | null;
};

/** @throws {Refused} not_found */
export async function getEditedPage({ db }: Services, name: string): Promise<EditedPage> {
  const kind = kindOf(pageSubject(name));
  if (kind !== "course" && Object.hasOwn(pageFields, kind))
    return { name, kind, subject: pageSubject(name), ...pageKinds[kind] };
  const id = name.slice(coursePrefix.length);
  const course =
    name.startsWith(coursePrefix) && isId(id)
      ? await db.read
          .selectFrom("products")
          .select(["title", "slug"])
          .where("id", "=", id)
          .where("deletedAt", "is", null)
          .executeTakeFirst()
      : null;
  if (!course) throw new Refused("not_found", "There is no such page.");
  const { title: label, slug } = course;
  return { name, kind: "course", subject: pageSubject(name), label, path: `/courses/${slug}` };
}

/** {@link getEditedPage} for a route. @throws 404 where there is no such page */
export function requirePage(services: Services, name: string): Promise<EditedPage> {
  return getEditedPage(services, name).catch((error: unknown) => {
    throw error instanceof Refused ? data(null, 404) : error;
  });
}

/** The number of the public version; 0 for the first edition. */
export async function publishedNumber(db: Query, subject: string): Promise<number> {
  const row = await db
    .selectFrom("pages")
    .select("number")
    .where("subject", "=", subject)
    .executeTakeFirst();
  return row?.number ?? 0;
}

/** The words of a version as they were written: 0 is the first edition; null where there is none. */
export async function findVersionContent(
  services: Pick<Services, "db">,
  page: EditedPage,
  number: number,
): Promise<Content | null> {
  if (number === 0) return firstWords(services, page);
  const stored = await findVersion(services.db.read, page.subject, number);
  return stored && readContent(page.kind, stored.content);
}

async function firstWords({ db }: Pick<Services, "db">, page: EditedPage): Promise<Content> {
  const { name, kind, path: address } = page;
  const slug = address?.split("/").at(-1) ?? "";
  const edition = kind === "course" ? firstCoursePages[slug] : firstEdition[kind];
  return edition?.source ?? courseContent(db.read, name.slice(coursePrefix.length));
}

const empty = (kind: EditedPage["kind"]): Content =>
  Object.fromEntries(
    Object.entries<Field | ListField>(pageFields[kind]).map(([name, field]) => [
      name,
      field.kind === "list" ? [] : "",
    ]),
  );

/** What the page of a course says before the coach has written anything for it: what the course
 * itself says, and its modules with the titles of their lessons. */
async function courseContent(db: Query, id: string): Promise<Content> {
  const course = await db
    .selectFrom("products")
    .select(["title", "description"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const modules = await listModules({ db: { read: db } }, id);
  const fields = pageFields.course;
  const { title } = course;
  const description = (course.description ?? "").replaceAll(/\s+/g, " ");
  return {
    ...empty("course"),
    title: title.slice(0, fields.title.max),
    description: description.slice(0, fields.description.max),
    heading: title.slice(0, fields.heading.max),
    lead: description.slice(0, fields.lead.max),
    weeksTitle: modules.length > 0 ? "What is inside" : "",
    weeks: modules.slice(0, fields.weeks.max).map((module) => ({
      title: module.title.slice(0, fields.weeks.of.title.max),
      text: module.lessons.map((lesson) => `- ${lesson.title}`).join("\n"),
    })),
    shareTitle: title.slice(0, fields.shareTitle.max),
  };
}

/** Reads stored words: what an older version of the site left out is empty. */
function readContent(kind: EditedPage["kind"], text: string): Content {
  try {
    const stored = JSON.parse(text) as Content;
    const parsed = contentSchema(kind).safeParse(stored);
    return parsed.success ? parsed.data : { ...empty(kind), ...stored };
  } catch {
    return empty(kind);
  }
}

/** The public words of a page as they were written, and the number of their version. */
export async function getPublishedContent(services: Pick<Services, "db">, page: EditedPage) {
  const number = await publishedNumber(services.db.read, page.subject);
  const content = await findVersionContent(services, page, number);
  return { number, content: content ?? (await firstWords(services, page)) };
}

/** A place of a page by its name. @throws {Refused} not_found */
export function getField({ kind }: Pick<EditedPage, "kind">, name: string): Field | ListField {
  const fields = pageFields[kind] as Record<string, Field | ListField>;
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!field) throw new Refused("not_found", pageMessages.noField);
  return field;
}

/** All pages with what is published and how much is not: courses last, by their titles. */
export async function listEditedPages({ db }: Services, timeZone: string) {
  const [published, drafts, courses] = await Promise.all([
    db.read.selectFrom("pages").select(["subject", "updatedAt"]).execute(),
    db.read
      .selectFrom("pageDrafts")
      .select(({ fn }) => ["subject", fn.countAll<number>().as("count")])
      .groupBy("subject")
      .execute(),
    listCourseFilters({ db }),
  ]);
  const line = (name: string, label: string, path: string | null) => {
    const subject = pageSubject(name);
    const row = published.find((one) => one.subject === subject);
    const found = drafts.find((one) => one.subject === subject);
    return {
      ...{ name, label, path, drafts: Number(found?.count ?? 0) },
      published: row ? dateAndTime(row.updatedAt, timeZone) : null,
    };
  };
  return {
    pages: Object.entries(pageKinds)
      .filter(([kind]) => kind !== "course")
      .map(([kind, { label, path }]) => line(kind, label, path)),
    courses: courses.map(({ id, title, slug }) =>
      line(coursePrefix + id, title, `/courses/${slug}`),
    ),
  };
}
