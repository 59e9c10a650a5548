import { type ActionFunctionArgs, data } from "react-router";
import {
  failure,
  flash,
  isFromScript,
  redirectWithToast,
  type Toast,
} from "~/platform/http/flash.ts";
import type { Services } from "~/platform/http/services.ts";
import { Changed, createCourse, updateCourse } from "./courses.server.ts";
import { courseFormMessages, moduleMessages, saveFailed } from "./messages.ts";
import { createModule, updateModule } from "./modules.server.ts";
import { priceField } from "./rules.ts";
import {
  type CourseFields,
  courseFields,
  fieldErrorsOf,
  type ModuleFields,
  moduleFields,
} from "./schema.ts";
import { SlugTaken } from "./slugs.server.ts";

type Fields = Record<string, string | undefined>;

/** A rejected form: typed values, field errors, a free slug, and what was saved elsewhere. */
export type CourseFormError<Typed> = {
  id: string;
  typed: Typed;
  /** The revision to save over next: the form's own, or a newer one shown to the user. */
  revision: number;
  /** Opening values of the fields that are written only if they were changed. */
  opened?: Partial<Typed>;
  fieldErrors: Record<string, string>;
  proposal?: string | undefined;
  theirs?: Typed | undefined;
};

export type SavedForm<Typed> = { typed: Typed; revision: number };

/** `toast` is set where no field can show the error. */
type Unsaved<Typed> = { problem: CourseFormError<Typed>; status: number; toast: Toast | null };
type Outcome<Typed> = Promise<{ id: string; saved: SavedForm<Typed> } | Unsaved<Typed>>;
type Began<Typed> = Pick<CourseFormError<Typed>, "id" | "typed" | "revision" | "opened">;

/** Answers such a form. With scripts, the page stays, with what was typed meanwhile. */
export function answerForm<Typed>(
  { request, context }: Pick<ActionFunctionArgs, "request" | "context">,
  outcome: Awaited<Outcome<Typed>>,
  done: Toast & { to: string; stays?: boolean },
) {
  if ("problem" in outcome) {
    const { problem, status, toast } = outcome;
    const headers = toast ? flash(request, context, toast) : {};
    return data({ problem, saved: null }, { status, headers });
  }
  const { to, stays = false, ...toast } = done;
  if (!stays || !isFromScript(request)) return redirectWithToast(to, toast);
  const { saved } = outcome;
  return data({ problem: null, saved }, { headers: flash(request, context, toast) });
}

export type TypedCourse = ReturnType<typeof typedCourse>;

export function typedCourse(course: CourseFields) {
  const { title, slug, description, priceCents, lessonEmails = "notice" } = course;
  return {
    ...{ title, slug, description: description ?? "", price: priceField(priceCents) },
    lessonEmails: String(lessonEmails),
    comingSoon: course.comingSoon ? "yes" : "no",
  };
}

/** Creates a course (revision 0) or saves one, from its form. */
export async function saveCourse(services: Services, fields: Fields): Outcome<TypedCourse> {
  const { id = "", title = "", slug = "", description = "", price = "" } = fields;
  const { lessonEmails = "notice", comingSoon = "no" } = fields;
  const revision = revisionOf(fields);
  const began = {
    id,
    typed: { title, slug, description, price, lessonEmails, comingSoon },
    revision,
  };
  const parsed = courseFields.safeParse(fields);
  if (!parsed.success) return refused(began, parsed);
  const typed = typedCourse(parsed.data);
  try {
    if (revision === 0) {
      const made = await createCourse(services, { id, ...parsed.data });
      return { id: made, saved: { typed, revision: 1 } };
    }
    const now = await updateCourse(services, { id, revision, ...parsed.data });
    return { id, saved: { typed, revision: now } };
  } catch (error) {
    const fallback = revision === 0 ? courseFormMessages.createFailed : saveFailed.courseUpdate;
    return unsaved(services, error, began, fallback, typedCourse);
  }
}

export type TypedModule = ReturnType<typeof typedModule>;

export function typedModule({ productId, title, orderNum }: ModuleFields) {
  return { productId, title, orderNum: String(orderNum) };
}

/** Creates a module (revision 0) or saves one, from its form. */
export async function saveModule(services: Services, fields: Fields): Outcome<TypedModule> {
  const { id = "", productId = "", title = "", orderNum = "" } = fields;
  const { orderBefore = "" } = fields;
  const revision = revisionOf(fields);
  const opened = { orderNum: orderBefore };
  const began = { id, typed: { productId, title, orderNum }, revision, opened };
  const parsed = moduleFields.safeParse(fields);
  if (!parsed.success) return refused(began, parsed);
  try {
    if (revision === 0) {
      const made = await createModule(services, { id, ...parsed.data });
      return { id: made, saved: { typed: typedModule(parsed.data), revision: 1 } };
    }
    const from = { id, revision, orderBefore: Number(orderBefore) };
    const now = await updateModule(services, { ...from, ...parsed.data });
    const typed = typedModule({ ...parsed.data, orderNum: now.orderNum });
    return { id, saved: { typed, revision: now.revision } };
  } catch (error) {
    const fallback = revision === 0 ? moduleMessages.createFailed : moduleMessages.updateFailed;
    return unsaved(services, error, began, fallback, typedModule);
  }
}

/** 0 for a new item. */
function revisionOf({ revision = "" }: Fields): number {
  return /^\d{1,9}$/.test(revision) ? Number(revision) : 0;
}

function refused<Typed>(
  began: Began<Typed>,
  parsed: Parameters<typeof fieldErrorsOf>[0],
): Unsaved<Typed> {
  const fieldErrors = fieldErrorsOf(parsed) ?? {};
  return { problem: { ...began, fieldErrors }, status: 400, toast: null };
}

function unsaved<Typed, Stored>(
  services: Services,
  error: unknown,
  began: Began<Typed>,
  fallback: string,
  typedOf: (stored: Stored) => Typed,
): Unsaved<Typed> {
  const { status, message, toast } = failure(services, error, fallback);
  if (error instanceof SlugTaken) {
    const { field, proposal } = error;
    const fieldErrors = { [field]: message };
    return { problem: { ...began, fieldErrors, proposal }, status, toast: null };
  }
  if (error instanceof Changed) {
    const { now } = error as Changed<Stored & { revision: number }>;
    const theirs = { revision: now.revision, theirs: typedOf(now) };
    return { problem: { ...began, fieldErrors: {}, ...theirs }, status, toast: null };
  }
  return { problem: { ...began, fieldErrors: {} }, status, toast };
}
