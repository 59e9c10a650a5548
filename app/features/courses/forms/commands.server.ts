import { failure } from "~/platform/http/failure.ts";
import type { Toast } from "~/platform/http/flash.ts";
import type { Services } from "~/platform/services.ts";
import { createModule, updateModule } from "../modules/commands.server.ts";
import type { AuthoredModule } from "../modules/queries.server.ts";
import { moduleFields } from "../modules/schema.ts";
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
 * somebody else saved meanwhile, with the revision to save over.
 */
export type Problem<Typed> = {
  typed: Typed;
  complaints: Record<string, string>;
  proposal?: string | undefined;
  theirs?: { typed: Typed; revision: number } | undefined;
};

/** `toast` where no field can say what is wrong. */
type Unsaved<Typed> = { problem: Problem<Typed>; status: number; toast: Toast | null };
type Outcome<Typed> = Promise<{ id: string } | Unsaved<Typed>>;

export type TypedCourse = { title: string; slug: string; description: string; price: string };

/** A stored course as its form shows it. */
export function typedCourse(course: AuthoredCourse): TypedCourse {
  const { title, slug, description, priceCents } = course;
  return { title, slug, description: description ?? "", price: priceField(priceCents) };
}

/** Creates a course (revision 0), or saves one, from its form. */
export async function saveCourse(services: Services, fields: Fields): Outcome<TypedCourse> {
  const { id = "", title = "", slug = "", description = "", price = "" } = fields;
  const typed = { title, slug, description, price };
  const parsed = courseFields.safeParse(fields);
  if (!parsed.success)
    return { problem: { typed, complaints: complaintsOf(parsed) ?? {} }, status: 400, toast: null };
  const revision = revisionOf(fields);
  try {
    if (revision === 0) return { id: await createCourse(services, { id, ...parsed.data }) };
    await updateCourse(services, { id, revision, ...parsed.data });
    return { id };
  } catch (error) {
    const fallback = revision === 0 ? courseTexts.createFailed : saveFailed.courseUpdate;
    return unsaved(services, error, typed, fallback, typedCourse);
  }
}

export type TypedModule = { productId: string; title: string; orderNum: string };

/** A stored module as its form shows it. */
export function typedModule({ productId, title, orderNum }: AuthoredModule): TypedModule {
  return { productId, title, orderNum: String(orderNum) };
}

/** Creates a module (revision 0), or saves one, from its form. */
export async function saveModule(services: Services, fields: Fields): Outcome<TypedModule> {
  const { id = "", productId = "", title = "", orderNum = "" } = fields;
  const typed = { productId, title, orderNum };
  const parsed = moduleFields.safeParse(fields);
  if (!parsed.success)
    return { problem: { typed, complaints: complaintsOf(parsed) ?? {} }, status: 400, toast: null };
  const revision = revisionOf(fields);
  try {
    if (revision === 0) return { id: await createModule(services, { id, ...parsed.data }) };
    const orderBefore = Number(fields.orderBefore);
    await updateModule(services, { id, revision, orderBefore, ...parsed.data });
    return { id };
  } catch (error) {
    const fallback = revision === 0 ? moduleTexts.createFailed : moduleTexts.updateFailed;
    return unsaved(services, error, typed, fallback, typedModule);
  }
}

/** Which revision a form was opened with; 0 for something new. */
function revisionOf({ revision = "" }: Fields): number {
  return /^\d{1,9}$/.test(revision) ? Number(revision) : 0;
}

function unsaved<Typed, Stored extends { revision: number }>(
  services: Services,
  error: unknown,
  typed: Typed,
  fallback: string,
  typedOf: (stored: Stored) => Typed,
): Unsaved<Typed> {
  const { status, message, toast } = failure(services, error, fallback);
  if (error instanceof SlugTaken) {
    const { field, proposal } = error;
    return { problem: { typed, complaints: { [field]: message }, proposal }, status, toast: null };
  }
  if (error instanceof Changed) {
    const { now } = error as Changed<Stored>;
    const theirs = { typed: typedOf(now), revision: now.revision };
    return { problem: { typed, complaints: {}, theirs }, status, toast: null };
  }
  return { problem: { typed, complaints: {} }, status, toast };
}
