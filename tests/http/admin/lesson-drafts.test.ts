import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "~/platform/db/ids.ts";
import { boxes, readable } from "../../support/answers.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { createByForm, updateByForm } from "../../support/lessons.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { startSite, type TestSite } from "../../support/site.ts";

let site: TestSite;
let admin: Person;
let course: TestCourse;

beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());
beforeEach(async () => {
  admin = await createPerson(site.services, { role: "admin" });
  course = await createCourse(site.services, [[{}]]);
});

const lessonId = () => course.modules[0]?.lessons[0]?.id ?? "";
const moduleId = () => course.modules[0]?.id ?? "";

type Save = { id?: string; lesson?: string; revision?: number; content?: string; as?: Person };

function keep({
  id = newId(),
  lesson = lessonId(),
  revision = 1,
  content = "Drafted.",
  as = admin,
}: Save) {
  const fields = { title: "Drafted title", moduleId: moduleId(), slug: "drafted", content };
  const json = { userId: as.id, draftId: id, baseRevision: 1, revision, fields };
  return site.ask(`/admin/lessons/${lesson}/draft`, { as, method: "PUT", json });
}
const page = async (query = "", as = admin) =>
  (await site.ask(`/admin/lessons/${lessonId()}${query}`, { as })).text();
const list = async (as = admin) => (await site.ask("/admin/lessons", { as })).text();

test("an author has 200 drafts; what is written in those goes on, another one is not taken", async () => {
  const now = site.services.clock.now();
  // Two that are opened at one moment may both find the last place.
  const rows = Array.from({ length: 201 }, () => ({
    ...{ id: newId(), userId: admin.id, lessonId: lessonId(), content: "{}", baseRevision: 1 },
    ...{ kind: "lesson" as const, revision: 1, createdAt: now, updatedAt: now },
  }));
  await site.services.db.write.insertInto("drafts").values(rows).execute();
  expect((await keep({})).status).toBe(507);
  expect((await keep({ id: rows[0]?.id, revision: 2 })).status).toBe(204);
  expect((await keep({})).status).toBe(507);
  const givenUp = [`${rows[0]?.id}:2`, `${rows[1]?.id}:1`];
  for (const draft of givenUp)
    await site.ask(`/admin/lessons/${lessonId()}/draft`, { as: admin, form: { draft } });
  expect((await keep({})).status).toBe(204);
});

describe("a draft of a lesson", () => {
  test("is kept, offered by a line and in the list, and laid into the form on request", async () => {
    const id = newId();
    const kept = await keep({ id });
    expect([kept.status, await kept.text()]).toEqual([204, ""]);
    const offered = readable(await page());
    expect(offered).toMatch(/You were writing this on \w+, \w+ \d+ at \d\d:\d\d/);
    expect(boxes(await page())).not.toContain("Drafted.");
    expect(boxes(await page(`?draft=${id}`))).toContain("Drafted.");
    expect(readable(await list())).toContain("Unfinished: “Drafted title”");
  });

  test("is gone once the lesson was saved with it; what arrives late is dropped", async () => {
    const id = newId();
    await keep({ id, revision: 3 });
    await updateByForm(site, admin, lessonId(), { content: "Drafted.", drafts: `${id}:3` });
    await keep({ id, revision: 3, content: "Late." });
    await keep({ id, revision: 2, content: "Later." });
    expect(await page()).not.toContain("You were writing this");
    await keep({ id, revision: 4, content: "Typed after it." });
    expect(await page()).toContain("Typed after it.");
  });

  test("that was typed after the save left is not lost by it", async () => {
    const id = newId();
    await keep({ id, revision: 5, content: "Typed while saving." });
    await updateByForm(site, admin, lessonId(), { content: "Sent.", drafts: `${id}:4` });
    expect(await page()).toContain("Typed while saving.");
  });

  test("can be given up", async () => {
    const id = newId();
    await keep({ id, revision: 2 });
    const path = `/admin/lessons/${lessonId()}`;
    const given = await site.ask(`${path}/draft`, {
      as: admin,
      form: { draft: `${id}:2` },
      headers: { referer: `${site.url}${path}` },
    });
    expect(given.headers.get("location")).toBe(path);
    expect(await page()).not.toContain("You were writing this");
    expect(await list()).not.toContain("Unfinished");
  });

  test("with the very words that are stored is not offered", async () => {
    const id = newId();
    await updateByForm(site, admin, lessonId(), { title: "T", slug: "s", content: "C" });
    const fields = { title: "T", slug: "s", content: "C", moduleId: moduleId() };
    const json = { userId: admin.id, draftId: id, baseRevision: 1, revision: 1 };
    const all = { ...fields, orderNum: "1", dripDay: "0", prompts: "" };
    const path = `/admin/lessons/${lessonId()}/draft`;
    await site.ask(path, { as: admin, method: "PUT", json: { ...json, fields: all } });
    expect(await page()).not.toContain("You were writing this");
  });

  test("is its writer's alone: another administrator reads, overwrites and deletes nothing", async () => {
    const other = await createPerson(site.services, { role: "admin" });
    const id = newId();
    await keep({ id });
    await keep({ id, revision: 9, content: "Overwritten.", as: other });
    await site.ask(`/admin/lessons/${lessonId()}/draft`, { as: other, form: { draft: `${id}:9` } });
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
    await keep({ id, lesson });
    const text = await list();
    expect(readable(text)).toContain("Unfinished: “Drafted title”, a new lesson");
    expect(text).toContain(`/admin/lessons/new?id=${lesson}`);
    const open = await site.ask(`/admin/lessons/new?id=${lesson}&draft=${id}`, { as: admin });
    expect(boxes(await open.text())).toContain("Drafted.");
    await createByForm(site, admin, moduleId(), { id: lesson, drafts: `${id}:1` });
    expect(await list()).not.toContain("Unfinished");
  });

  test("of a deleted lesson is not offered in the list", async () => {
    await keep({});
    await site.ask("/admin/lessons", { as: admin, form: { id: lessonId() } });
    expect(await list()).not.toContain("Unfinished");
  });
});

describe("is refused", () => {
  const right = () => ({
    userId: admin.id,
    draftId: newId(),
    baseRevision: 0,
    revision: 1,
    fields: {},
  });
  const put = (body: string, lesson = lessonId()) =>
    site.ask(`/admin/lessons/${lesson}/draft`, {
      as: admin,
      method: "PUT",
      body,
      headers: { "content-type": "application/json" },
    });

  test.each([
    ["nothing", () => null],
    ["a list", () => []],
    ["an id that is none", () => ({ ...right(), draftId: "x" })],
    ["a count below zero", () => ({ ...right(), revision: -1 })],
    ["fields that are none", () => ({ ...right(), fields: "x" })],
    ["a field without end", () => ({ ...right(), fields: { content: "x".repeat(1_000_001) } })],
    [
      "fields without end",
      () => ({
        ...right(),
        fields: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`f${at}`, ""])),
      }),
    ],
  ])("%s: 400", async (_, body) => {
    expect((await put(JSON.stringify(body()))).status).toBe(400);
  });

  test.each(["", "{", "\0", "[".repeat(2_000)])("text that is no JSON: 400", async (body) => {
    expect((await put(body)).status).toBe(400);
  });

  test("a lesson that cannot be: 404", async () => {
    expect((await put(JSON.stringify(right()), "none")).status).toBe(404);
  });

  test("from another site's page: 403", async () => {
    const response = await site.ask(`/admin/lessons/${lessonId()}/draft`, {
      as: admin,
      method: "PUT",
      json: right(),
      origin: "https://evil.example",
    });
    expect(response.status).toBe(403);
  });
});

describe("the preview", () => {
  const preview = (json: unknown) => site.ask("/admin/lessons/preview", { as: admin, json });

  test("is rendered as the student's page is", async () => {
    const content = "# One\n\n<script>alert(1)</script>*two*";
    const { html, prompts } = await (
      await preview({ content, prompts: '[{"question": "a"}]' })
    ).json();
    await updateByForm(site, admin, lessonId(), { content });
    const { contentHtml } = await site.services.db.read
      .selectFrom("lessons")
      .select("contentHtml")
      .where("id", "=", lessonId())
      .executeTakeFirstOrThrow();
    expect(html).toBe(contentHtml);
    expect(html).not.toContain("<script");
    expect(prompts).toEqual([{ question: "a", placeholder: "" }]);
  });

  test("says when the prompts are broken, and shows the text all the same", async () => {
    expect(await (await preview({ content: "a", prompts: "{" })).json()).toMatchObject({
      html: "<p>a</p>",
      problem: true,
    });
  });

  test.each([
    [400, {}],
    [400, { content: 7 }],
    [413, { content: "x".repeat(300_001) }],
    [400, { content: ">".repeat(300) }],
  ])("%i for what it cannot show", async (status, json) => {
    const response = await preview(json);
    expect(response.status).toBe(status);
    expect((await response.json()).error.message).toBeTruthy();
  });
});

test("of drafts that were discarded, the newest 200 stay, to drop late autosaves", async () => {
  const ids = Array.from({ length: 205 }, () => newId());
  for (const id of ids) {
    const form = { draft: `${id}:1` };
    await site.ask(`/admin/lessons/${lessonId()}/draft`, { as: admin, form });
  }
  await keep({});
  const rows = await site.services.db.read
    .selectFrom("drafts")
    .select(["id", "discardedAt"])
    .where("userId", "=", admin.id)
    .execute();
  expect(rows.filter(({ discardedAt }) => discardedAt)).toHaveLength(200);
  expect(rows).toHaveLength(201);
  await keep({ id: ids.at(-1) });
  expect(await list()).toContain("Drafted title");
  expect((await page()).split("You were writing this on").length - 1).toBe(1);
});
