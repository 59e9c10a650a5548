import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import { compiledOnce } from "~/platform/db/compiled.ts";
import type { Query } from "~/platform/db/database.ts";
import { isId, newId } from "~/platform/db/ids.ts";
import { countUpTo, keysetPage, type Portion } from "~/platform/db/keyset.ts";
import { hasWords } from "~/platform/db/search.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { redirectMessages } from "./messages.ts";
import { leadOn, placesOf, shownPath, type Way } from "./rules.ts";

const waysAt = compiledOnce((db, { exact, course }: { exact: string; course: string }) =>
  db
    .selectFrom("redirects")
    .select(["fromPath", "target"])
    .where("fromPath", "in", [exact, course]),
);

/** Where an old address leads: a path of the site, or an https address; null for nowhere. */
export async function findTarget({ db }: Services, path: string): Promise<string | null> {
  return leadOn(path, await waysAt(db.read, placesOf(path)));
}

/** Makes an old address lead to where a page is now, and with it those that led to the old one. No
 * target is an old address itself: there is no chain and no circle. @returns its id */
async function putRedirect(
  trx: Query,
  { clock }: Pick<Services, "clock">,
  { fromPath, target }: Way,
): Promise<string> {
  await trx.deleteFrom("redirects").where("fromPath", "=", target).execute();
  await trx
    .updateTable("redirects")
    .set({ target })
    .where("target", "=", fromPath)
    .where("fromPath", "<>", target)
    .execute();
  await trx.deleteFrom("lostPages").where("path", "=", fromPath).execute();
  const { id } = await trx
    .insertInto("redirects")
    .values({ id: newId(), fromPath, target, createdAt: clock.now() })
    .onConflict((conflict) => conflict.column("fromPath").doUpdateSet({ target }))
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

const labelOf = ({ fromPath, target }: Way) => `${shownPath(fromPath)} → ${shownPath(target)}`;

/** Call in the transaction that gives a course another address. */
export async function redirectCourse(
  trx: Query,
  services: Services,
  { from, to }: { from: string; to: string },
): Promise<void> {
  if (from === to) return;
  const way = { fromPath: `/courses/${from}`, target: `/courses/${to}` };
  const id = await putRedirect(trx, services, way);
  await recordAudit(trx, services, { action: "redirect.created", id, label: labelOf(way) });
}

export const redirectSorts = { created: "desc", from: "asc", hits: "desc" } as const;
const columns = { created: "createdAt", from: "fromPath", hits: "hits" } as const;

export type RedirectListParams = {
  search: string;
  sort: keyof typeof redirectSorts;
  direction: "asc" | "desc";
  cursor: string | null;
};

export async function listRedirects({ db }: Services, params: RedirectListParams & Portion) {
  const column = `redirects.${columns[params.sort]}` as const;
  let query = db.read
    .selectFrom("redirects")
    .select(["id", "fromPath", "target", "hits", "createdAt", `${column} as sortValue`]);
  if (params.search)
    query = query.where((eb) =>
      eb.or([
        hasWords("redirects.fromPath", params.search),
        hasWords("redirects.target", params.search),
      ]),
    );
  const kind = params.sort === "hits" ? { kind: "number" as const } : {};
  const order = { column, id: "redirects.id", direction: params.direction, ...kind };
  const page = await keysetPage(query, order, params);
  return { ...page, total: params.uncounted ? null : await countUpTo(db.read, query) };
}

export async function getRedirect({ db }: Services, id: string) {
  if (!isId(id)) return null;
  const found = db.read
    .selectFrom("redirects")
    .select(["id", "fromPath", "target", "hits", "createdAt"])
    .where("id", "=", id);
  return (await found.executeTakeFirst()) ?? null;
}

/** Saves an old address; null as `id` makes a new one. Idempotent. What it names has been checked
 * (redirect-form.server.ts). @throws {Refused} not_found */
export async function saveRedirect(
  services: Services,
  { id, fromPath, target }: Way & { id: string | null },
): Promise<void> {
  await services.db.transaction(async (trx) => {
    const before = await trx
      .selectFrom("redirects")
      .select(["id", "fromPath", "target"])
      .where((eb) => (id ? eb("id", "=", id) : eb("fromPath", "=", fromPath)))
      .executeTakeFirst();
    if (id && !before) throw new Refused("not_found", redirectMessages.gone);
    if (before?.fromPath === fromPath && before.target === target) return;
    if (before && before.fromPath !== fromPath)
      await trx.updateTable("redirects").set({ fromPath }).where("id", "=", before.id).execute();
    const way = { fromPath, target };
    const key = await putRedirect(trx, services, way);
    const action = before ? "redirect.updated" : "redirect.created";
    await recordAudit(trx, services, { action, id: key, label: labelOf(way) });
  });
}

export async function removeRedirect(services: Services, id: string): Promise<void> {
  if (!isId(id)) return;
  await services.db.transaction(async (trx) => {
    const removed = await trx
      .deleteFrom("redirects")
      .where("id", "=", id)
      .returning(["fromPath", "target"])
      .executeTakeFirst();
    if (!removed) return;
    const label = labelOf(removed);
    await recordAudit(trx, services, { action: "redirect.removed", id, label });
  });
}

export function listCourseTargets({ db }: Services) {
  return db.read
    .selectFrom("products")
    .select(["slug", "title", "active"])
    .where("deletedAt", "is", null)
    .orderBy("title")
    .orderBy("id")
    .execute();
}
