import { z } from "zod";
import { savedMessage, slugMessages } from "~/features/courses/messages.ts";
import { readPrompts } from "~/features/courses/prompts.ts";
import { discardDrafts, rebaseDraft } from "~/features/drafts/drafts.server.ts";
import { readSeenDrafts } from "~/features/drafts/rules.ts";
import type { SeenDraft } from "~/features/drafts/schema.ts";
import { getPanel } from "~/features/lesson-media/media-panel.server.ts";
import { imagesOf } from "~/features/pictures/pictures.server.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Toast } from "~/platform/http/flash.ts";
import { failure } from "~/platform/http/flash.ts";
import type { Services } from "~/platform/http/services.ts";
import { MarkdownRefused } from "~/platform/markdown/refusal.ts";
import { renderMarkdown } from "~/platform/markdown/renderer.ts";
import { dateAndTime } from "~/platform/time/words.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { differences, plainBreaks } from "./differences.ts";
import { listLessonDrafts } from "./drafts.server.ts";
import {
  createLesson,
  findLesson,
  type LessonCourseChoice,
  listModuleChoices,
  type SaveResult,
  updateLesson,
} from "./lessons.server.ts";
import {
  type FieldErrors,
  type Fields,
  formMessages,
  maxContent,
  newestDraft,
} from "./messages.ts";
import { type DraftFields, readLesson, typedFields } from "./schema.ts";

type Opening = {
  userId: string;
  lessonId: string;
  timeZone: string;
  /** The draft to continue: an id, as a page without scripts asks for, or {@link newestDraft}. */
  draftId: string | null;
};

/** Everything that the page of a stored lesson shows; null if there is no such lesson. */
export async function openLesson(services: Services, opening: Opening) {
  const lesson = await findLesson(services.db.read, opening.lessonId);
  if (!lesson) return null;
  const { fields, revision, contentHtml, updatedAt: _, ...about } = lesson;
  const opened = await open(services, opening, { fields, revision });
  return { ...opened, html: contentHtml, about };
}

/** The same for a new lesson, in the module that the author comes from. */
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
  known?: LessonCourseChoice[],
) {
  const [courses, writing, media] = await Promise.all([
    known ?? listModuleChoices(services),
    listLessonDrafts(services, opening),
    getPanel(services, opening.lessonId),
  ]);
  // Drafts without differences are not offered: they were saved, and discarding them failed.
  const drafts = writing
    .map((draft) => ({ ...draft, fields: inPlace(draft.fields, stored) }))
    .filter(({ fields }) => differences(fields, stored.fields).length > 0);
  const continued =
    (draftId === newestDraft ? drafts[0] : drafts.find(({ id }) => id === draftId)) ?? null;
  return {
    lessonId: opening.lessonId,
    userId: opening.userId,
    draftId: newId(),
    fields: typedFields.parse(continued?.fields ?? stored.fields),
    revision: continued?.baseRevision ?? stored.revision,
    storedRevision: stored.revision,
    /** The stored order number: unless it is edited, it follows changes made in the outline. */
    orderBefore: stored.fields.orderNum,
    continued: continued && { id: continued.id, revision: continued.revision },
    drafts,
    courses,
    media,
  };
}

function inPlace(fields: DraftFields, stored: { fields: Fields; revision: number }): DraftFields {
  const isUntouched = fields.orderNum === fields.orderBefore && stored.revision > 0;
  return isUntouched ? { ...fields, orderNum: stored.fields.orderNum } : fields;
}

export type OpenedLesson = Omit<NonNullable<Awaited<ReturnType<typeof openLesson>>>, "about"> & {
  about: NonNullable<Awaited<ReturnType<typeof openLesson>>>["about"] | null;
};

const previewAsked = z.object({ content: z.string(), prompts: z.string().catch("") });

/** A lesson as a student sees it, from the same renderer. `asked` is `{content, prompts}` as typed.
 * @throws {Refused} invalid, too_large, unavailable */
export async function previewLesson(services: Pick<Services, "db">, asked: unknown) {
  const read = previewAsked.safeParse(asked);
  if (!read.success) throw new Refused("invalid", "This is not a lesson.");
  const { content, prompts } = read.data;
  if (content.length > maxContent) throw new Refused("too_large", formMessages.longContent);
  const list = readPrompts(prompts);
  const shown = "asked" in list ? list.asked : "keep";
  const html = await renderMarkdown(content, await imagesOf(services, content));
  return { html, prompts: shown === "keep" ? null : shown, problem: "error" in list };
}

export type LessonPreview = Awaited<ReturnType<typeof previewLesson>>;

export type LessonConflict = { fields: Fields; revision: number; when: string };

/** Why a lesson was not saved, with all submitted text. */
export type SaveProblem = {
  message: string;
  errors: FieldErrors;
  /** What is wrong with the prompts, in addition to the message of the specification. */
  detail: string | null;
  /** A free slug if the wanted one is taken. */
  proposal: string | null;
  other: LessonConflict | null;
  signedOut: boolean;
  fields: Fields | null;
  revision: number;
  /** The form's own draft, then the older ones whose text is in it. */
  drafts: SeenDraft[];
};

/** The revision that a form was saved as, by the form's draft. */
export type SavedLesson = { draftId: string; revision: number };

type Sent = { userId: string; lessonId: string; form: FormData; timeZone: string };

/** Saves a lesson form and discards its drafts. `revision` 0: the author knows of no stored one. */
export async function saveLessonForm(
  services: Services,
  { userId, lessonId, form, timeZone }: Sent,
): Promise<
  | { kind: "saved"; saved: SavedLesson; toast: Toast }
  | { kind: "problem"; status: number; problem: SaveProblem; toast: Toast }
> {
  const text = (value: FormDataEntryValue) =>
    typeof value === "string" ? plainBreaks(value.replaceAll("\0", "").toWellFormed()) : "";
  const fields = typedFields.parse(
    Object.fromEntries([...form].map(([name, value]) => [name, text(value)])),
  );
  const numberIn = (name: string) => {
    const [digits = null] = /^\d{1,9}$/.exec(String(form.get(name))) ?? [];
    return digits === null ? null : Number(digits);
  };
  const revision = numberIn("revision") ?? 0;
  const orderBefore = numberIn("orderBefore");
  const drafts = readSeenDrafts(form.get("drafts"));
  const refused = (status: number, message: string, more: Partial<SaveProblem> = {}) => ({
    kind: "problem" as const,
    status,
    problem: { ...noProblem, message, fields, revision, drafts, ...more },
    toast: { title: "Error", description: message, tone: "destructive" as const },
  });

  // Another user may have signed in since in another tab: then this form is not theirs.
  const owner = form.get("userId");
  if (owner && owner !== userId) return refused(401, formMessages.signedOut, { signedOut: true });
  const read = readLesson(fields);
  if ("errors" in read) {
    const [first = formMessages.failed] = Object.values(read.errors);
    return refused(400, first, read);
  }
  const lesson = { id: lessonId, ...read.values, prompts: read.prompts };
  const result = await save(services, { ...lesson, revision, orderBefore });
  if (result.kind === "saved") {
    // The first is the form's own draft; the others are older ones whose text is in the form.
    const draftId = drafts[0]?.id ?? "";
    const { db, clock } = services;
    const { revision } = result;
    try {
      const draft = { kind: "lesson", userId, lessonId } as const;
      await discardDrafts(db.write, draft, drafts, clock.now());
      await rebaseDraft(db.write, draft, { id: draftId, revision });
    } catch (error) {
      // The lesson is stored: a remaining draft is offered again, and nothing is lost.
      services.log.error({ err: error }, "the drafts of a saved lesson could not be discarded");
    }
    return {
      kind: "saved",
      saved: { draftId, revision },
      toast: savedMessage("Lesson", result.how),
    };
  }
  if (result.kind === "stale") {
    const { fields, revision, updatedAt } = result.current;
    const when = dateAndTime(updatedAt, timeZone);
    return refused(409, formMessages.conflict, { other: { fields, revision, when } });
  }
  if (result.kind === "slug")
    return refused(409, slugMessages.taken.lesson, {
      errors: { slug: slugMessages.taken.lesson },
      proposal: result.proposal,
    });
  if (result.kind === "module")
    return refused(400, formMessages.moduleGone, { errors: { moduleId: formMessages.moduleGone } });
  if (result.kind === "failed") {
    const { status, message, errors } = result;
    return refused(status, message, { errors });
  }
  return refused(404, formMessages.gone);
}

const noProblem = { errors: {}, detail: null, proposal: null, other: null, signedOut: false };

type Failed = { kind: "failed"; status: number; message: string; errors: FieldErrors };

async function save(
  services: Services,
  { revision, orderBefore, ...lesson }: Parameters<typeof updateLesson>[1],
): Promise<SaveResult | Failed> {
  try {
    return revision === 0
      ? await createLesson(services, lesson)
      : await updateLesson(services, { ...lesson, revision, orderBefore });
  } catch (error) {
    const fallback = revision === 0 ? formMessages.createFailed : formMessages.failed;
    const { status, message } = failure(services, error, fallback);
    const errors = error instanceof MarkdownRefused ? { content: message } : {};
    return { kind: "failed", status, message, errors };
  }
}
