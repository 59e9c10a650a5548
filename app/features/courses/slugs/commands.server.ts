import { isDuplicate } from "~/platform/db/errors.ts";
import { Refused } from "~/platform/http/errors.ts";
import type { Services } from "~/platform/services.ts";
import { freeSlug, type SlugScope } from "./queries.server.ts";
import { slugTexts } from "./texts.ts";

/** A course or lesson was refused because another one has its slug; `proposal` is free. */
export class SlugTaken extends Refused {
  readonly field = "slug";
  readonly proposal: string;
  constructor(kind: SlugScope["kind"], proposal: string) {
    super("conflict", `${slugTexts.taken[kind]} “${proposal}” is free.`);
    this.proposal = proposal;
  }
}

/**
 * Does what writes a slug. The database has the last word on which slugs are free: two who save
 * the same one at once both found it free before.
 * @throws {SlugTaken}
 */
export async function orSlugTaken<T>(
  { db }: Services,
  { scope, slug, id }: { scope: SlugScope; slug: string; id?: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    // Asked of the writer: the reader may not yet see what was in the way.
    throw new SlugTaken(scope.kind, await freeSlug(db.write, scope, slug, id));
  }
}
