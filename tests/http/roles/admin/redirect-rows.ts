import { saveRedirect } from "~/features/redirects/redirects.server.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { adminAt, byRole, ok, page, type Row, seeOther } from "../row.ts";

/** An old address that leads to the page about the coach. */
async function oldAddress(services: Services) {
  const fromPath = `/old-${newId()}`;
  await saveRedirect(services, { id: null, fromPath, target: "/about" });
  const found = services.db.read.selectFrom("redirects").select("id");
  const { id } = await found.where("fromPath", "=", fromPath).executeTakeFirstOrThrow();
  return { id, fromPath };
}

async function lostPage({ db }: Services): Promise<string> {
  const path = `/lost-${newId()}`;
  await db.write
    .insertInto("lostPages")
    .values({ path, requests: 3, lastDay: "2026-11-28" })
    .execute();
  return path;
}

const list = "/admin/redirects";
const lost = "/admin/redirects/lost";
const redirects = adminAt(list);
const lostPages = adminAt(lost);
const redirect = adminAt("/admin/redirects/:id");
const form = (more: Record<string, string> = {}) => ({
  ...{ from: `/old-${newId()}`, page: "/about", other: "", ...more },
});
const everybody = { status: 301, location: "/about?a=1" };

export const redirectRows: Row[] = [
  page(
    "/*",
    "an old address",
    byRole(everybody, everybody),
    async ({ services }) => `${(await oldAddress(services)).fromPath}?a=1`,
  ),
  redirects.page("the lists", ok("Addresses", "Not found")),
  redirects.page(
    "the list, searched, sorted, somewhere",
    ok("Addresses"),
    `${list}?q=old&sort=hits&at=nowhere`,
  ),
  redirects.page(
    "the question before one is removed",
    ok("Remove this old address?"),
    async ({ services }) => `${list}?delete=${(await oldAddress(services)).id}`,
  ),
  redirects.post("removing one", seeOther(list, "Removed"), async ({ services }) => ({
    form: { intent: "remove", id: (await oldAddress(services)).id },
  })),
  redirects.post("nothing that is known", seeOther(list, "Error"), { form: { intent: "x" } }),
  lostPages.page("the list", ok("Not found")),
  lostPages.post("ignoring one", seeOther(lost, "Ignored"), async ({ services }) => ({
    form: { intent: "ignore", id: await lostPage(services) },
  })),
  redirect.page("a new one", ok("Add an old address"), `${list}/new?from=/old-page`),
  redirect.page("one to change", ok("Change an old address"), async ({ services }) => ({
    id: (await oldAddress(services)).id,
  })),
  redirect.page("no such address", 404, `${list}/${newId()}`),
  redirect.post("a new one", seeOther(list, "Saved"), () => ({ id: "new", form: form() })),
  redirect.post(
    "a new one without an address",
    { status: 400, has: ["Type the old address"] },
    { id: "new", form: form({ from: "" }) },
  ),
  redirect.post("changing one", seeOther(list, "Saved"), async ({ services }) => ({
    id: (await oldAddress(services)).id,
    form: form({ page: "/help" }),
  })),
  redirect.post("changing one that is gone", seeOther(list, "Error"), () => ({
    id: newId(),
    form: form(),
  })),
];
