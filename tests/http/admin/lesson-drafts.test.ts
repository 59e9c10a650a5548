import { describe, expect, test } from "vitest";
import { newId } from "~/platform/db/ids.ts";
import { createCourse } from "../../support/courses.ts";
import { editingSite } from "../../support/editing-site.ts";
import { createPerson } from "../../support/people.ts";
import { boxes, hidden, readable } from "../../support/responses.ts";

const kit = editingSite([[{}, {}, {}]]);

const path = () => `/admin/lessons/${kit.lesson().id}`;
const page = (query = "", as = kit.admin) => kit.page(path() + query, as);
const list = (as = kit.admin) => kit.page("/admin/lessons", as);
const discard = (draft: string, as = kit.admin) =>
  kit.site.ask(`${path()}/draft`, {
    as,
    form: { draft },
    headers: { referer: kit.site.url + path() },
  });

describe("a draft of a lesson", () => {
  test("is saved, offered by a line and in the list, and put into the form on request", async () => {
    const id = newId();
    const saved = await kit.draft({ id });
    expect([saved.status, await saved.text()]).toEqual([204, ""]);
    const offered = await page();
    expect(readable(offered)).toMatch(/You were writing this on \w+ \d+, \d{4}, \d+:\d\d [AP]M/);
    expect(boxes(offered)).not.toContain("Drafted.");
    expect(boxes(await page(`?draft=${id}`))).toContain("Drafted.");
    expect(readable(await list())).toContain("Unfinished: “Drafted title”");
  });

  test("is gone once the lesson was saved with it; late saves are dropped, later text is not", async () => {
    const id = newId();
    await kit.draft({ id, revision: 3 });
    await kit.update({ content: "Drafted.", drafts: `${id}:3` });
    await kit.draft({ id, revision: 3, content: "Late." });
    await kit.draft({ id, revision: 2, content: "Later." });
    expect(await page()).not.toContain("You were writing this");
    await kit.draft({ id, revision: 4, content: "Typed after it." });
    expect(await page()).toContain("Typed after it.");
  });

  test("that was typed after the save left is not lost by it", async () => {
    const id = newId();
    await kit.draft({ id, revision: 5, content: "Typed while saving." });
    await kit.update({ content: "Sent.", drafts: `${id}:4` });
    expect(await page()).toContain("Typed while saving.");
  });

  test("can be discarded", async () => {
    const id = newId();
    await kit.draft({ id, revision: 2 });
    expect((await discard(`${id}:2`)).headers.get("location")).toBe(path());
    expect(await page()).not.toContain("You were writing this");
    expect(await list()).not.toContain("Unfinished");
  });

  test("with exactly what is stored is not offered, even if the order has changed since", async () => {
    await kit.update({ title: "T", slug: "s", content: "C" });
    const stored = { title: "T", slug: "s", content: "C", moduleId: kit.moduleId() };
    const fields = { ...stored, orderNum: "1", orderBefore: "1", dripDay: "0", prompts: "" };
    await kit.draft({ fields });
    expect(await page()).not.toContain("You were writing this");
    await kit.update({ orderNum: "2", orderBefore: "1" });
    expect(await page()).not.toContain("You were writing this");
  });

  test("is its author's alone: another admin reads, overwrites and discards nothing", async () => {
    const other = await createPerson(kit.site.services, { role: "admin" });
    const id = newId();
    await kit.draft({ id });
    await kit.draft({ id, revision: 9, content: "Overwritten.", as: other });
    await discard(`${id}:9`, other);
    for (const html of [
      await page("", other),
      await page(`?draft=${id}`, other),
      await list(other),
    ])
      expect(html).not.toContain("Drafted");
    expect(await page(`?draft=${id}`)).toContain("Drafted.");
  });

  test("of a lesson that is not stored yet is found again, and gone once it is", async () => {
    const [id, lesson] = [newId(), newId()];
    await kit.draft({ id, lesson });
    const text = await list();
    expect(readable(text)).toContain("Unfinished: “Drafted title”, a new lesson");
    expect(text).toContain(`/admin/lessons/new?id=${lesson}`);
    for (const asked of [id, "newest"]) {
      const form = await kit.page(`/admin/lessons/new?id=${lesson}&draft=${asked}`);
      expect(boxes(form)).toContain("Drafted.");
      expect(form).toContain(`<option value="${kit.moduleId()}" selected="">`);
      expect(form).not.toContain("You were writing this");
    }
    await kit.create({ id: lesson, drafts: `${id}:1` });
    expect(await list()).not.toContain("Unfinished");
  });

  test("is named in the list and in its course, with what it leads to", async () => {
    const [other, lesson] = [await createCourse(kit.site.services, [[]]), newId()];
    await kit.draft();
    await kit.draft({ lesson, fields: { title: "Begun", moduleId: kit.moduleId() } });
    const course = await kit.page(`/admin/courses/${kit.course.id}`);
    for (const text of [await list(), course]) {
      expect(readable(text)).toContain("Unfinished: “Begun”, a new lesson in “Module 1”.");
      expect(readable(text)).toContain("Unfinished: “Drafted title” in “Module 1”.");
      expect(text).toContain(`href="/admin/lessons/new?id=${lesson}&amp;draft=newest"`);
      expect(text).toContain(`href="${path()}?draft=newest"`);
    }
    expect(await kit.page(`/admin/courses/${other.id}`)).not.toContain("Unfinished");
    expect(boxes(await page("?draft=newest"))).toContain("Drafted.");
  });

  test("is named in its course, however many newer ones there are in others", async () => {
    const other = await createCourse(kit.site.services, [[]]);
    await kit.draft({ lesson: newId(), fields: { title: "Begun", moduleId: kit.moduleId() } });
    const fields = { title: "Elsewhere", moduleId: other.modules[0]?.id ?? "" };
    for (let n = 0; n < 21; n++) {
      kit.site.clock.forward(1000);
      await kit.draft({ lesson: newId(), fields });
    }
    expect(await list()).not.toContain("Begun");
    const course = readable(await kit.page(`/admin/courses/${kit.course.id}`));
    expect(course).toContain("Unfinished: “Begun”, a new lesson in “Module 1”.");
    expect(course).not.toContain("Elsewhere");
  });

  test("from before a save does not say that the save was made elsewhere", async () => {
    const lesson = newId();
    await kit.draft({ lesson, baseRevision: 0, content: "Typed first." });
    await kit.create({ id: lesson });
    const offered = readable(await kit.page(`/admin/lessons/${lesson}`));
    expect(offered).toContain("The lesson was saved after that.");
    expect(offered).not.toContain("elsewhere");
  });

  test("of a deleted lesson is not offered in the list", async () => {
    await kit.draft();
    await kit.remove();
    expect(await list()).not.toContain("Unfinished");
  });
});

describe("text that was typed while its lesson was being created", () => {
  const fields = { title: "T", slug: "t", content: "Typed while saving.", orderNum: "1" };
  const open = (lesson: string, id: string) => kit.page(`/admin/lessons/${lesson}?draft=${id}`);

  test.each(["before", "after"])(
    "continues from what was saved if it arrives %s it",
    async (when) => {
      const [id, lesson] = [newId(), newId()];
      const save = () => kit.draft({ id, lesson, revision: 5, baseRevision: 0, fields });
      if (when === "before") await save();
      await kit.create({ id: lesson, drafts: `${id}:4` });
      if (when === "after") await save();
      const html = await open(lesson, id);
      expect(boxes(html)).toContain("Typed while saving.");
      expect(hidden(html, "revision")).toEqual(["1"]);
      expect((await kit.update({ ...fields, revision: "1" }, lesson)).status).toBe(303);
    },
  );

  test("does not lead an older draft past what it never saw", async () => {
    const [id, older, lesson] = [newId(), newId(), newId()];
    await kit.create({ id: lesson, drafts: `${id}:4 ${older}:2` });
    await kit.draft({ id: older, lesson, revision: 3, baseRevision: 0, fields });
    expect(hidden(await open(lesson, older), "revision")).toEqual(["0"]);
  });
});

test.each([
  { typed: "1", place: 3 },
  { typed: "2", place: 2 },
  { typed: "3", place: 3 },
])(
  "a draft of a lesson that was moved to place 3 from 1, with $typed as its number, goes to $place",
  async ({ typed, place }) => {
    const id = newId();
    const { title, slug } = await kit.row();
    const fields = { title, slug, moduleId: kit.moduleId(), content: "Drafted.", dripDay: "0" };
    await kit.draft({ id, fields: { ...fields, orderNum: typed, orderBefore: "1" } });
    await kit.set({ orderNum: 3 });
    const html = await page(`?draft=${id}`);
    const orderNum = /name="orderNum"[^>]*value="(\d+)"/.exec(html)?.[1] ?? "";
    const [orderBefore] = hidden(html, "orderBefore");
    await kit.update({ content: "Drafted.", orderNum, orderBefore, drafts: `${id}:1` });
    expect(await kit.row()).toMatchObject({ content: "Drafted.", orderNum: place });
  },
);

describe("PUT /admin/lessons/{id}/draft", () => {
  const right = () => ({
    userId: kit.admin.id,
    draftId: newId(),
    baseRevision: 0,
    revision: 1,
    fields: {},
  });
  const put = (body: string, lesson = kit.lesson().id, origin?: string) =>
    kit.site.ask(`/admin/lessons/${lesson}/draft`, {
      as: kit.admin,
      method: "PUT",
      body,
      headers: { "content-type": "application/json" },
      origin,
    });
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`f${at}`, ""]));

  test.each<[string, string | object | null]>([
    ["nothing", null],
    ["a list", []],
    ["an id that is none", { draftId: "x" }],
    ["a revision below zero", { revision: -1 }],
    ["fields that are none", { fields: "x" }],
    ["an endless field", { fields: { content: "x".repeat(1_000_001) } }],
    ["too many fields", { fields: many }],
    ["no text", ""],
    ["half an object", "{"],
    ["NUL", "\0"],
    ["brackets", "[".repeat(2_000)],
  ])("is refused with %s: 400", async (_, wrong) => {
    const isPart = wrong !== null && typeof wrong === "object" && !Array.isArray(wrong);
    const body = isPart ? { ...right(), ...wrong } : wrong;
    expect((await put(typeof body === "string" ? body : JSON.stringify(body))).status).toBe(400);
  });

  test("is refused for what cannot be a lesson: 404; from another site's page: 403", async () => {
    const body = JSON.stringify(right());
    expect((await put(body, "none")).status).toBe(404);
    expect((await put(body, undefined, "https://evil.example")).status).toBe(403);
  });

  test("takes 200 drafts of an author, then only changes of those, until one is discarded", async () => {
    const now = kit.site.services.clock.now();
    const of = { userId: kit.admin.id, lessonId: kit.lesson().id, kind: "lesson" as const };
    const draft = { ...of, content: "{}", baseRevision: 1, revision: 1 };
    // Two that are opened at one moment may both find the last place.
    const rows = Array.from({ length: 201 }, () => ({
      ...{ ...draft, id: newId(), createdAt: now, updatedAt: now },
    }));
    await kit.site.services.db.write.insertInto("drafts").values(rows).execute();
    const status = async (id?: string, revision = 1) => (await kit.draft({ id, revision })).status;
    expect(await status()).toBe(507);
    expect(await status(rows[0]?.id, 2)).toBe(204);
    expect(await status()).toBe(507);
    for (const discarded of [`${rows[0]?.id}:2`, `${rows[1]?.id}:1`]) await discard(discarded);
    expect(await status()).toBe(204);
  });

  test("drops late saves of discarded drafts, of which the newest 200 stay", async () => {
    const ids = Array.from({ length: 205 }, () => newId());
    for (const id of ids) await discard(`${id}:1`);
    await kit.draft();
    const rows = await kit.site.services.db.read
      .selectFrom("drafts")
      .select(["id", "discardedAt"])
      .where("userId", "=", kit.admin.id)
      .execute();
    expect(rows.filter(({ discardedAt }) => discardedAt)).toHaveLength(200);
    expect(rows).toHaveLength(201);
    await kit.draft({ id: ids.at(-1) });
    expect(await list()).toContain("Drafted title");
    expect((await page()).split("You were writing this on")).toHaveLength(2);
  });
});

describe("POST /admin/lessons/preview", () => {
  const preview = (json: unknown) =>
    kit.site.ask("/admin/lessons/preview", { as: kit.admin, json });

  test("renders the text as the student's page does", async () => {
    const content = "# One\n\n<script>alert(1)</script>*two*";
    const answer = await preview({ content, prompts: '[{"question": "a"}]' });
    const { html, prompts } = await answer.json();
    await kit.update({ content });
    expect(html).toBe((await kit.row()).contentHtml);
    expect(html).not.toContain("<script");
    expect(prompts).toEqual([{ question: "a", placeholder: "" }]);
  });

  test("says that prompts are broken, and renders the text all the same", async () => {
    const answer = await preview({ content: "a", prompts: "{" });
    expect(await answer.json()).toMatchObject({ html: "<p>a</p>", problem: true });
  });

  test.each([
    [400, {}],
    [400, { content: 7 }],
    [413, { content: "x".repeat(300_001) }],
    [400, { content: ">".repeat(300) }],
  ])("answers %i for what it cannot render", async (status, json) => {
    const response = await preview(json);
    expect(response.status).toBe(status);
    expect((await response.json()).error.message).toBeTruthy();
  });
});
