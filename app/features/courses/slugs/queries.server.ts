import slugify from "@sindresorhus/slugify";
import type { Query } from "~/platform/db/database.ts";
import { isId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/services.ts";
import { longestSlug, slugPattern } from "./texts.ts";

/** Among which slugs one has to be the only one: all courses, or the lessons of one module. */
export type SlugScope = { kind: "course" } | { kind: "lesson"; moduleId: string };

/** What stands in the address when a title has no letter that could. */
const nameless = { course: "course", lesson: "lesson" } as const;

/** A title as a path segment: 'Grief & Sleep' is 'grief-and-sleep'; empty when nothing is left. */
function slugOf(title: string): string {
  const whole = slugify(title.slice(0, 300));
  return whole.slice(0, longestSlug).replace(/-+$/, "");
}

/**
 * A free slug like the one wanted: itself, or with '-2', '-3' behind it.
 * @param except the course or lesson that may keep its own
 */
export async function freeSlug(
  db: Query,
  scope: SlugScope,
  wanted: string,
  except?: string,
): Promise<string> {
  // Room for the number, so that what is proposed is short enough to be taken.
  const stem = wanted.slice(0, longestSlug - 6).replace(/-+$/, "");
  const taken = new Set(await alike(db, scope, stem, except));
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number++) if (!taken.has(`${stem}-${number}`)) return `${stem}-${number}`;
}

/** The slugs in use that begin like this one. */
async function alike(db: Query, scope: SlugScope, stem: string, except = "") {
  const table = scope.kind === "course" ? ("products" as const) : ("lessons" as const);
  // A slug has none of the signs that LIKE knows.
  let query = db
    .selectFrom(table)
    .select("slug")
    .where("slug", "like", `${stem}%`)
    .where("deletedAt", "is", null)
    .where("id", "<>", except);
  if (scope.kind === "lesson")
    query = query.where((eb) => eb(eb.ref("moduleId" as "id"), "=", scope.moduleId));
  return (await query.execute()).map(({ slug }) => slug);
}

export type SlugAnswer = {
  /** The slug of the title, or the one that was typed. */
  slug: string;
  free: boolean;
  /** One that is free and can be used: the same one if it is. */
  proposal: string;
  problem: "invalid" | "taken" | null;
};

type SlugQuestion = {
  kind: "course" | "lesson";
  /** One of the two. */
  title?: string | null;
  slug?: string | null;
  /** Without it, a lesson's slug cannot be taken. */
  moduleId?: string | null;
  /** The course or lesson that is being edited. */
  id?: string | null;
};

/** Whether a slug can be had, and which one instead: asked while it is typed. */
export async function askSlug({ db }: Services, asked: SlugQuestion): Promise<SlugAnswer> {
  const typed = asked.slug?.trim();
  const made = slugOf(typed || (asked.title ?? "")) || nameless[asked.kind];
  const slug = typed || made;
  const isValid = slugPattern.test(slug) && slug.length <= longestSlug;
  const scope = scopeOf(asked);
  const wanted = isValid ? slug : made;
  const proposal = scope ? await freeSlug(db.read, scope, wanted, asked.id ?? undefined) : wanted;
  const problem = isValid ? (proposal === slug ? null : ("taken" as const)) : ("invalid" as const);
  return { slug, free: problem === null, proposal, problem };
}

function scopeOf({ kind, moduleId }: SlugQuestion): SlugScope | null {
  if (kind === "course") return { kind };
  return isId(moduleId) ? { kind, moduleId } : null;
}
