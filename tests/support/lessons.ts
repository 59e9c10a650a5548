import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import type { TestSite } from "./site.ts";

export type LessonFields = Partial<
  Record<
    "title" | "moduleId" | "slug" | "orderNum" | "dripDay" | "content" | "prompts" | "revision",
    string
  >
> & { drafts?: string; userId?: string; [other: string]: string | undefined };

/** A whole lesson form; what is said wins. */
export function lessonForm(moduleId: string, fields: LessonFields = {}): [string, string][] {
  const form = {
    title: "A new lesson",
    moduleId,
    slug: `lesson-${newId()}`,
    orderNum: "1",
    dripDay: "0",
    content: "Some *words*.",
    prompts: "",
    ...fields,
  };
  return Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== undefined);
}

/** Sends the form of a new lesson as a browser without scripts does. */
export function createByForm(
  site: TestSite,
  as: { id: string } | null,
  moduleId: string,
  { id = newId(), ...fields }: LessonFields & { id?: string } = {},
) {
  const multipart: [string, string][] = [["lessonId", id], ...lessonForm(moduleId, fields)];
  return site.ask(`/admin/lessons/new?id=${id}`, { as, multipart });
}

/** Sends the form of a stored lesson: what it holds, but for what is said. */
export async function updateByForm(
  site: TestSite,
  as: { id: string } | null,
  id: string,
  fields: LessonFields,
) {
  const now = await lessonRow(site.services, id);
  const multipart = lessonForm(now.moduleId, {
    title: now.title,
    slug: now.slug,
    orderNum: String(now.orderNum),
    dripDay: String(now.dripDay),
    content: now.content,
    revision: String(now.revision),
    ...fields,
  });
  return site.ask(`/admin/lessons/${id}`, { as, multipart });
}

export function lessonRow({ db }: Services, id: string) {
  return db.read.selectFrom("lessons").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}
