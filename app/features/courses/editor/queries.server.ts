import { z } from "zod";
import { newId } from "~/platform/db/ids.ts";
import { Refused } from "~/platform/http/errors.ts";
import { renderMarkdown } from "~/platform/markdown/renderer.ts";
import type { Services } from "~/platform/services.ts";
import { findLesson, listModuleChoices } from "../lessons/queries.server.ts";
import { type DraftFields, type Fields, typedFields } from "../lessons/schema.ts";
import { formMessages, maxContent } from "../lessons/texts.ts";
import { getPanel } from "../panel/queries.server.ts";
import { readPrompts } from "../prompts/rules.ts";
import { differences } from "../versions/rules.ts";
import { listWriting } from "../writing/queries.server.ts";

type Opening = {
  userId: string;
  lessonId: string;
  timeZone: string;
  /** A draft to go on with, as an address asks for it where scripts are off. */
  draftId: string | null;
};

/** Everything that the page of a stored lesson shows; null when there is no such lesson. */
export async function openLesson(services: Services, opening: Opening) {
  const lesson = await findLesson(services, opening.lessonId);
  if (!lesson) return null;
  const { fields, revision, contentHtml, updatedAt: _, ...about } = lesson;
  const opened = await open(services, opening, { fields, revision });
  return { ...opened, html: contentHtml, about };
}

/** The same for a lesson that is not stored yet, in the module that its author comes from. */
export async function openNewLesson(
  services: Services,
  { moduleId, ...opening }: Opening & { moduleId: string | null },
) {
  const courses = await listModuleChoices(services);
  const modules = courses.flatMap((course) => course.modules);
  const module =
    modules.find(({ id }) => id === moduleId) ?? (modules.length === 1 ? modules[0] : undefined);
  const fields: Fields = {
    title: "",
    moduleId: module?.id ?? "",
    slug: "",
    orderNum: String(module?.nextOrder ?? 1),
    dripDay: "0",
    content: "",
    prompts: "",
  };
  const opened = await open(services, opening, { fields, revision: 0 }, courses);
  return { ...opened, html: "", about: null };
}

async function open(
  services: Services,
  { draftId, ...opening }: Opening,
  stored: { fields: Fields; revision: number },
  known?: Awaited<ReturnType<typeof listModuleChoices>>,
) {
  const [courses, writing, media] = await Promise.all([
    known ?? listModuleChoices(services),
    listWriting(services, opening),
    getPanel(services, opening.lessonId),
  ]);
  // What says nothing new is not offered: it was saved, and its farewell got lost.
  const drafts = writing
    .map((draft) => ({ ...draft, fields: inPlace(draft.fields, stored) }))
    .filter(({ fields }) => differences(fields, stored.fields).length > 0);
  const continued = drafts.find(({ id }) => id === draftId) ?? null;
  return {
    lessonId: opening.lessonId,
    userId: opening.userId,
    /** Names what this page is going to write. */
    draftId: newId(),
    fields: typedFields.parse(continued?.fields ?? stored.fields),
    revision: continued?.baseRevision ?? stored.revision,
    /** Its number as it is stored: one that she leaves alone follows the outline's changes. */
    orderBefore: stored.fields.orderNum,
    continued: continued && { id: continued.id, saves: continued.saves },
    drafts: drafts.filter(({ id }) => id !== continued?.id),
    courses,
    media,
  };
}

/** A number that she left alone follows the outline's changes, as long as her draft waits. */
function inPlace(fields: DraftFields, stored: { fields: Fields; revision: number }): DraftFields {
  const isUntouched = fields.orderNum === fields.orderBefore && stored.revision > 0;
  return isUntouched ? { ...fields, orderNum: stored.fields.orderNum } : fields;
}

export type OpenedLesson = Omit<NonNullable<Awaited<ReturnType<typeof openLesson>>>, "about"> & {
  about: NonNullable<Awaited<ReturnType<typeof openLesson>>>["about"] | null;
};

const previewAsked = z.object({ content: z.string(), prompts: z.string().catch("") });

/**
 * A lesson as a student would see it, made by what makes the student's page.
 * @param asked `{content, prompts}`, as they are typed
 * @throws {Refused} invalid, too_large, unavailable
 */
export async function previewLesson(asked: unknown) {
  const read = previewAsked.safeParse(asked);
  if (!read.success) throw new Refused("invalid", "This is not a lesson.");
  const { content, prompts } = read.data;
  if (content.length > maxContent) throw new Refused("too_large", formMessages.longContent);
  const list = readPrompts(prompts);
  const shown = "asked" in list ? list.asked : "keep";
  const html = await renderMarkdown(content);
  return { html, prompts: shown === "keep" ? null : shown, problem: "error" in list };
}

export type LessonPreview = Awaited<ReturnType<typeof previewLesson>>;
