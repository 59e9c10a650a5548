import { savePageDraft } from "~/features/pages/drafts.server.ts";
import { getEditedPage } from "~/features/pages/pages.server.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { adminAt, type Given, ok, type Row, seeOther } from "../row.ts";

const pages = adminAt("/admin/pages");
const page = adminAt("/admin/pages/:id");
const drafts = adminAt("/admin/pages/:id/draft");
const preview = adminAt("/admin/pages/:id/preview");
const publish = adminAt("/admin/pages/:id/publish");
const history = adminAt("/admin/pages/:id/history");

/** A draft of the heading of the terms, by nobody who asks here. */
async function drafted({ services }: { services: Services }, heading: string) {
  const terms = await getEditedPage(services, "terms");
  await services.db.write.deleteFrom("pageDrafts").execute();
  const userId =
    (await services.db.read.selectFrom("profiles").select("id").execute())[0]?.id ?? "";
  const draft = { draftId: newId(), revision: 1, absorbed: [], userId };
  await savePageDraft(services, terms, { ...draft, field: "heading", value: heading });
  const row = services.db.read
    .selectFrom("pages")
    .select("number")
    .where("subject", "=", "page:terms");
  const number = (await row.executeTakeFirst())?.number ?? 0;
  return `${number} heading:${draft.draftId}:1`;
}

const of = (id: string, more: object = {}) => ({ id, ...more });

export const pageRows: Row[] = [
  adminAt("/admin/ready").page(
    "what is missing before opening",
    ok("Two quotes on Home are invented examples.", "On the server"),
  ),
  pages.page("the list", ok("On every page", "First edition")),
  page.page("all texts of one", ok("First sentences"), of("home")),
  page.page("one text of it", ok("Heading"), "/admin/pages/home?field=heading"),
  page.page("of a course", ok("Line below the heading"), ({ world }: Given) =>
    of(`course:${world.active.id}`),
  ),
  page.page("no such page", 404, of("none")),
  page.page("of no course", 404, of(`course:${newId()}`)),
  page.post(
    "a draft without scripts",
    seeOther("/admin/pages/about?field=lead#lead", "Draft saved"),
    async ({ services }) => {
      await services.db.write.deleteFrom("pageDrafts").execute();
      return { path: "/admin/pages/about?field=lead", form: { value: "I am here." } };
    },
  ),
  drafts.get("reading", 405, "/admin/pages/home/draft"),
  drafts.put("one for somebody else", 401, () =>
    of("home", {
      json: { userId: newId(), draftId: newId(), revision: 1, field: "heading", value: "x" },
    }),
  ),
  drafts.put("what is no draft", 400, of("home", { json: { field: "heading" } })),
  drafts.post("giving one up", seeOther("/admin/pages/home"), () =>
    of("home", { form: { draft: `${newId()}:1` } }),
  ),
  preview.get("reading", 405, "/admin/pages/home/preview"),
  preview.post("a text", ok("<em>a</em>"), of("home", { json: { field: "text", value: "*a*" } })),
  preview.post("no text", 400, of("home", { json: {} })),
  publish.page("what would change", ok("Look and publish", "Rules of the house"), async (given) => {
    await drafted(given, "Rules of the house");
    return of("terms");
  }),
  publish.post("what was shown", seeOther("/terms", "Published"), async (given) =>
    of("terms", { form: { shown: await drafted(given, `Rules ${newId()}`) } }),
  ),
  publish.post(
    "what was not shown",
    seeOther("/admin/pages/terms/publish", "Error"),
    async (given) => {
      await drafted(given, `Rules ${newId()}`);
      return of("terms", { form: { shown: "7" } });
    },
  ),
  history.page("the versions", ok("First edition"), of("coaching")),
  history.page(
    "one compared",
    ok("the same as what is public"),
    "/admin/pages/coaching/history?version=0",
  ),
  history.post(
    "a version that is not there",
    seeOther("/admin/pages/coaching/history", "Error"),
    of("coaching", { form: { number: "9", current: "0" } }),
  ),
];
