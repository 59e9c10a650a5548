import slugify from "@sindresorhus/slugify";
import type { Query } from "~/platform/db/database.ts";
import { isDuplicate } from "~/platform/db/errors.ts";
import { isId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { longestSlug, slugMessages, slugPattern } from "./messages.ts";

/** Where a slug must be unique: among all courses, or among the lessons of one module. */
export type SlugScope = { kind: "course" } | { kind: "lesson"; moduleId: string };

/** The slug for a title without usable characters. */
const nameless = { course: "course", lesson: "lesson" } as const;

/** A title as a path segment: 'Grief & Sleep' is 'grief-and-sleep'; may be empty. */
function slugOf(title: string): string {
  const whole = slugify(title.slice(0, 300));
  return whole.slice(0, longestSlug).replace(/-+$/, "");
}

/** The wanted slug if free, else with '-2', '-3' and so on. `except` may keep its own slug. */
export async function freeSlug(
  db: Query,
  scope: SlugScope,
  wanted: string,
  except?: string,
): Promise<string> {
  // Leaves room for the number, so that the proposal is not too long.
  const stem = wanted.slice(0, longestSlug - 6).replace(/-+$/, "");
  const taken = new Set(await alike(db, scope, stem, except));
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number++) if (!taken.has(`${stem}-${number}`)) return `${stem}-${number}`;
}

async function alike(db: Query, scope: SlugScope, stem: string, except = "") {
  const table = scope.kind === "course" ? ("products" as const) : ("lessons" as const);
  // A slug contains no LIKE wildcards.
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

export type SlugCheck = {
  slug: string;
  free: boolean;
  /** A free slug: the same one if it is free. */
  proposal: string;
  problem: "invalid" | "taken" | null;
};

type SlugQuestion = {
  kind: "course" | "lesson";
  /** Either the title or the slug is given. */
  title?: string | null;
  slug?: string | null;
  /** Without a module, a lesson's slug is never taken. */
  moduleId?: string | null;
  id?: string | null;
};

/** Checks a slug as it is typed and proposes a free one. */
export async function checkSlug({ db }: Services, asked: SlugQuestion): Promise<SlugCheck> {
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

/** Rejects a course or lesson because its slug is taken; `proposal` is free. */
export class SlugTaken extends Refused {
  readonly field = "slug";
  readonly proposal: string;
  constructor(kind: SlugScope["kind"], proposal: string) {
    super("conflict", `${slugMessages.taken[kind]} “${proposal}” is free.`);
    this.proposal = proposal;
  }
}

/** Runs a write of a slug. Only the database decides whether a slug is free: two concurrent saves
 * both found it free before.
 * @throws {SlugTaken} */
export async function orSlugTaken<T>(
  { db }: Services,
  { scope, slug, id }: { scope: SlugScope; slug: string; id?: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    // Reads through db.write: the reader may not yet see the conflicting row.
    throw new SlugTaken(scope.kind, await freeSlug(db.write, scope, slug, id));
  }
}
