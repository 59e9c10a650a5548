import { describe, expect, test } from "vitest";
import { createCourse } from "../../support/courses.ts";
import { adminOfFile } from "../../support/people-of-tests.ts";
import { readable, toastOf } from "../../support/responses.ts";
import { siteOfFile } from "../../support/site.ts";

const site = siteOfFile();
const coach = adminOfFile(site);

const ask = (path: string, form?: Record<string, string>) => site.ask(path, { as: coach, form });
const press = (id: string, form: Record<string, string>) => ask(`/admin/courses/${id}`, form);
const read = async (path: string) => readable(await (await ask(path)).text());
const write = () => site.services.db.write;

/** Each module's lessons with their numbers, in order. */
async function order(productId: string) {
  const rows = await write()
    .selectFrom("modules")
    .leftJoin("lessons", "lessons.moduleId", "modules.id")
    .select(["modules.id", "modules.orderNum as module", "lessons.id as lesson"])
    .select(["lessons.orderNum", "lessons.slug"])
    .where("modules.productId", "=", productId)
    .orderBy("modules.orderNum")
    .orderBy("lessons.orderNum")
    .execute();
  return [...Map.groupBy(rows, ({ module }) => module).values()];
}

const slugs = async (productId: string) =>
  (await order(productId)).map((rows) =>
    rows.flatMap(({ slug, orderNum }) => (slug ? `${orderNum}:${slug}` : [])).join(" "),
  );

describe("POST /admin/courses/:id: the order", () => {
  test("numbers that collide become 1 to n of what was shown", async () => {
    const { id, modules } = await createCourse(site.services, [
      [{ slug: "a" }, { slug: "b" }, { slug: "c" }],
      [{ slug: "d" }],
    ]);
    const [first, second] = modules;
    const same = { orderNum: 7 };
    await write()
      .updateTable("lessons")
      .set(same)
      .where("moduleId", "=", first?.id ?? "")
      .execute();
    await write().updateTable("modules").set(same).where("productId", "=", id).execute();
    const up = { direction: "up" };
    const lessonId = first?.lessons[2]?.id ?? "";
    const stepped = await press(id, { intent: "step-lesson", lessonId, ...up });
    expect(toastOf(stepped)?.title).toBe("“Lesson 1.3” is 2 of 3 in “Module 1”.");
    await press(id, { intent: "step-module", moduleId: second?.id ?? "", ...up });
    expect(await slugs(id)).toEqual(["1:d", "1:a 2:c 3:b"]);
    expect((await order(id)).map((rows) => rows[0]?.module)).toEqual([1, 2]);
  });

  test("many moves at once, by many tabs: no lesson is lost or doubled", async () => {
    const { id, modules } = await createCourse(site.services, [
      [{ slug: "a" }, { slug: "b" }, { slug: "c" }],
      [{ slug: "d" }, { slug: "e" }],
      [{ slug: "a" }],
    ]);
    const lessons = modules.flatMap((module) => module.lessons.map((lesson) => lesson.id));
    const moves = lessons.flatMap((lessonId, index) =>
      modules.map((module, place) => {
        const beforeId = lessons[(index + place) % lessons.length] ?? "";
        return press(id, { intent: "move-lesson", lessonId, moduleId: module.id, beforeId });
      }),
    );
    for (const answer of await Promise.all(moves)) expect(toastOf(answer)?.tone).toBe("success");
    const after = await order(id);
    const found = after.flatMap((rows) => rows.flatMap(({ lesson }) => lesson ?? []));
    expect(found.toSorted()).toEqual(lessons.toSorted());
    for (const rows of after) {
      const numbers = rows.flatMap(({ orderNum }) => orderNum ?? []);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      const names = rows.flatMap(({ slug }) => slug ?? []);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  test("another course's module takes none of its lessons", async () => {
    const one = await createCourse(site.services, [[{ slug: "a" }]]);
    const other = await createCourse(site.services, [[]]);
    const lessonId = one.modules[0]?.lessons[0]?.id ?? "";
    const moduleId = other.modules[0]?.id ?? "";
    const answer = await press(one.id, { intent: "move-lesson", lessonId, moduleId });
    expect(toastOf(answer)).toMatchObject({ title: "Error", tone: "destructive" });
    expect(await slugs(one.id)).toEqual(["1:a"]);
  });

  test("a form opened before does not move a lesson or module back", async () => {
    const { id, modules } = await createCourse(site.services, [[{ slug: "a" }], []]);
    const [first = "", second = ""] = modules.map((module) => module.id);
    const lessonId = modules[0]?.lessons[0]?.id ?? "";
    await press(id, { intent: "move-module", moduleId: second, beforeId: first });
    const saved = await ask(`/admin/modules/${second}`, {
      ...{ intent: "save", revision: "1", productId: id, title: "Renamed" },
      ...{ orderNum: "2", orderBefore: "2" },
    });
    expect(toastOf(saved)?.title).toBe("Module updated successfully");
    expect((await order(id))[0]?.[0]?.id).toBe(second);
    await press(id, { intent: "move-lesson", lessonId, moduleId: second });
    const lesson = write().selectFrom("lessons").select("revision").where("id", "=", lessonId);
    expect(await lesson.executeTakeFirst()).toEqual({ revision: 2 });
  });
});

describe("modules", () => {
  test.each([
    [{ productId: "" }, "Choose a course"],
    [{ title: "" }, "Title is required"],
    [{ orderNum: "" }, "Order number is required"],
    [{ orderNum: "0" }, "Order number is a whole number, from 1"],
    [{ orderNum: "-1" }, "Order number is a whole number, from 1"],
    [{ orderNum: "1.5" }, "Order number is a whole number, from 1"],
    [{ orderNum: "one" }, "Order number is a whole number, from 1"],
    [{ orderNum: "9999999999" }, "Order number has nine digits at most"],
    [{ productId: "none" }, "This course was deleted."],
  ])("POST /admin/modules/new: refuses %o, and returns what was typed", async (wrong, message) => {
    const { id } = await createCourse(site.services, []);
    const form = { productId: id, title: "As it was typed", orderNum: "1", ...wrong };
    const response = await ask("/admin/modules/new", form);
    const body = await response.text();
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(body).toContain(message);
    expect(body).toContain(form.title);
  });

  test("GET /admin/modules/new: proposes the next number, and an inactive course only by its address", async () => {
    const title = "Not shown yet";
    const { id, modules } = await createCourse(site.services, [[], []], { title });
    await press(id, { intent: "deactivate" });
    expect(await read("/admin/modules/new")).not.toContain(title);
    const page = await read(`/admin/modules/new?course=${id}`);
    expect(page).toContain(`${title} (inactive)`);
    expect(page).toMatch(/name="orderNum"[^>]*value="3"/);
    await ask("/admin/modules/new", { productId: id, title: "Also first", orderNum: "1" });
    const rows = write().selectFrom("modules").select(["id", "orderNum"]);
    const stored = await rows
      .where("productId", "=", id)
      .orderBy("orderNum")
      .orderBy("createdAt")
      .execute();
    // Equal numbers stay: the older module comes first.
    expect(stored.map(({ orderNum }) => orderNum)).toEqual([1, 1, 2]);
    expect(stored[0]?.id).toBe(modules[0]?.id);
  });

  test("POST /admin/modules/:id: over what was saved elsewhere, it is refused with both", async () => {
    const { id, modules } = await createCourse(site.services, [[]]);
    const address = `/admin/modules/${modules[0]?.id}`;
    const form = { intent: "save", productId: id, orderNum: "1", orderBefore: "1", revision: "1" };
    await ask(address, { ...form, title: "One" });
    const stale = await ask(address, { ...form, title: "Other" });
    const body = await stale.text();
    expect(stale.status).toBe(409);
    expect(body).toContain("This module was changed elsewhere");
    expect(body).toContain("<dd>One</dd>");
    expect(body).toContain('value="Other"');
  });

  test("GET /admin/modules/none: 404 inside the admin area, with its tabs", async () => {
    const response = await ask("/admin/modules/none");
    const body = await response.text();
    expect(response.status).toBe(404);
    expect(body).toContain("<title>Page Not Found");
    expect(body).toMatch(/<h1[^>]*>Page Not Found<\/h1>/);
    expect(body).toContain('<nav aria-label="Admin"');
  });
});

/** Those of the words that stand in a page, in the order in which they first do. */
const inOrder = (body: string, words: string[]) =>
  words
    .filter((word) => body.includes(word))
    .toSorted((one, other) => body.indexOf(one) - body.indexOf(other));

describe("GET of a list: of the same number, the older comes first, though its id is the newer one's", () => {
  const created = { createdAt: new Date("2026-01-01T00:00:00Z") };

  test("lessons, up, down and exported", async () => {
    const course = await createCourse(site.services, [
      [{ title: "Made second" }, { title: "Made first" }],
    ]);
    const [second = "", first = ""] = course.modules[0]?.lessons.map(({ id }) => id) ?? [];
    expect(second < first).toBe(true);
    const moduleId = course.modules[0]?.id ?? "";
    const lessons = () => write().updateTable("lessons");
    await lessons().set({ orderNum: 4 }).where("moduleId", "=", moduleId).execute();
    await lessons().set(created).where("id", "=", first).execute();
    const expected = ["Made first", "Made second"];
    const at = `course=${course.id}`;
    for (const path of [`/admin/lessons?${at}`, `/admin/export/lessons?${at}`])
      expect(inOrder(await read(path), expected)).toEqual(expected);
    const downwards = await read(`/admin/lessons?${at}&sort=-order`);
    expect(inOrder(downwards, expected)).toEqual(expected.toReversed());
  });

  test("modules", async () => {
    const course = await createCourse(site.services, [[], []]);
    const [second = "", first = ""] = course.modules.map(({ id }) => id);
    const modules = () => write().updateTable("modules");
    await modules().set({ orderNum: 2 }).where("productId", "=", course.id).execute();
    await modules().set(created).where("id", "=", first).execute();
    const expected = [`/admin/modules/${first}`, `/admin/modules/${second}`];
    expect(inOrder(await read(`/admin/modules?course=${course.id}`), expected)).toEqual(expected);
  });
});

test("GET of a list with q: finds by own, module's and course's title in any capitals, and no wildcards", async () => {
  const made = await createCourse(site.services, [[{ title: "ÜBER Wasser" }]], { title: "Ölberg" });
  const renamed = write().updateTable("modules").set({ title: "Éclair" });
  await renamed.where("productId", "=", made.id).execute();
  const other = await createCourse(site.services, [[{ title: "Something else" }]]);
  const search = (list: string, q: string) => read(`${list}?q=${encodeURIComponent(q)}`);
  for (const q of ["über", "ÜBER WASSER", "éCLAIR", "öLB"]) {
    const lessons = await search("/admin/lessons", q);
    expect(lessons).toContain("ÜBER Wasser");
    expect(lessons).not.toContain("Something else");
  }
  for (const q of ["éclair", "öLBERG"])
    expect(await search("/admin/modules", q)).toContain("Éclair");
  const courses = await search("/admin", "ölberg");
  expect(courses).toContain(made.id);
  expect(courses).not.toContain(other.id);
  for (const list of ["/admin", "/admin/modules", "/admin/lessons"])
    for (const wildcard of ["%", "_"])
      expect(await search(list, wildcard)).toMatch(/Nothing found|No lesson like that/);
});
