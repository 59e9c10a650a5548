import { failure } from "~/platform/http/failure.ts";
import type { Toast } from "~/platform/http/flash.ts";
import type { Services } from "~/platform/services.ts";
import { createModule, updateModule } from "../modules/commands.server.ts";
import { type ModuleFields, moduleFields } from "../modules/schema.ts";
import { moduleTexts } from "../modules/texts.ts";
import { Changed, createCourse, updateCourse } from "../products/commands.server.ts";
import type { AuthoredCourse } from "../products/queries.server.ts";
import { priceField } from "../products/rules.ts";
import { complaintsOf, courseFields } from "../products/schema.ts";
import { courseTexts } from "../products/texts.ts";
import { SlugTaken } from "../slugs/commands.server.ts";
import { saveFailed } from "../texts.ts";

type Fields = Record<string, string | undefined>;

/**
 * Why a form was not saved: what was typed, what is wrong with each field, a free slug, and what
 * somebody else saved meanwhile.
 */
export type Problem<Typed> = {
  typed: Typed;
  /** What to save over next: the form's own, or another one that is shown to her. */
  revision: number;
  /** What fields were opened with that are written only if they were changed. */
  opened?: Partial<Typed>;
  complaints: Record<string, string>;
  proposal?: string | undefined;
  theirs?: Typed | undefined;
};

/** What a form has saved, as it would be opened now. */
export type Saved<Typed> = { typed: Typed; revision: number };

/** `toast` where no field can say what is wrong. */
type Unsaved<Typed> = { problem: Problem<Typed>; status: number; toast: Toast | null };
type Outcome<Typed> = Promise<{ id: string; saved: Saved<Typed> } | Unsaved<Typed>>;
type Began<Typed> = Pick<Problem<Typed>, "typed" | "revision" | "opened">;

export type TypedCourse = {
  title: string;
  slug: string;
  description: string;
  price: string;
  lessonMails: string;
};

/** A stored course as its form shows it. */
export function typedCourse(
  course: Pick<AuthoredCourse, "title" | "slug" | "description" | "priceCents"> &
    Partial<Pick<AuthoredCourse, "lessonMails">>,
): TypedCourse {
  const { title, slug, description, priceCents, lessonMails = "notice" } = course;
  const price = priceField(priceCents);
  return { title, slug, description: description ?? "", price, lessonMails };
}

/** Creates a course (revision 0), or saves one, from its form. */
export async function saveCourse(services: Services, fields: Fields): Outcome<TypedCourse> {
  const { id = "", title = "", slug = "", description = "", price = "" } = fields;
  const { lessonMails = "notice" } = fields;
  const revision = revisionOf(fields);
  const began = { typed: { title, slug, description, price, lessonMails }, revision };
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
    const fallback = revision === 0 ? courseTexts.createFailed : saveFailed.courseUpdate;
    return unsaved(services, error, began, fallback, typedCourse);
  }
}

export type TypedModule = { productId: string; title: string; orderNum: string };

/** A stored module as its form shows it. */
export function typedModule({ productId, title, orderNum }: ModuleFields): TypedModule {
  return { productId, title, orderNum: String(orderNum) };
}

/** Creates a module (revision 0), or saves one, from its form. */
export async function saveModule(services: Services, fields: Fields): Outcome<TypedModule> {
  const { id = "", productId = "", title = "", orderNum = "" } = fields;
  const revision = revisionOf(fields);
  const { orderBefore = "" } = fields;
  const opened = { orderNum: orderBefore };
  const began = { typed: { productId, title, orderNum }, revision, opened };
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
    const fallback = revision === 0 ? moduleTexts.createFailed : moduleTexts.updateFailed;
    return unsaved(services, error, began, fallback, typedModule);
  }
}

/** Which revision a form was opened with; 0 for something new. */
function revisionOf({ revision = "" }: Fields): number {
  return /^\d{1,9}$/.test(revision) ? Number(revision) : 0;
}

function refused<Typed>(
  began: Began<Typed>,
  parsed: Parameters<typeof complaintsOf>[0],
): Unsaved<Typed> {
  const complaints = complaintsOf(parsed) ?? {};
  return { problem: { ...began, complaints }, status: 400, toast: null };
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
    const complaints = { [field]: message };
    return { problem: { ...began, complaints, proposal }, status, toast: null };
  }
  if (error instanceof Changed) {
    const { now } = error as Changed<Stored & { revision: number }>;
    const theirs = { revision: now.revision, theirs: typedOf(now) };
    return { problem: { ...began, complaints: {}, ...theirs }, status, toast: null };
  }
  return { problem: { ...began, complaints: {} }, status, toast };
}
