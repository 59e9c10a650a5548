import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toastOf } from "../../support/answers.ts";
import { createCourse } from "../../support/courses.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { startSite, type TestSite } from "../../support/site.ts";

let site: TestSite;
let coach: Person;

beforeAll(async () => {
  site = await startSite();
  coach = await createPerson(site.services, { role: "admin" });
});
afterAll(() => site.close());

const press = (id: string, form: Record<string, string>) =>
  site.ask(`/admin/courses/${id}`, { as: coach, form });

/** Each module's lessons with their numbers. */
async function order(productId: string) {
  const rows = await site.services.db.write
    .selectFrom("modules")
    .leftJoin("lessons", "lessons.moduleId", "modules.id")
    .select(["modules.id", "modules.orderNum as module", "lessons.id as lesson"])
    .select(["lessons.orderNum", "lessons.slug"])
    .where("modules.productId", "=", productId)
    .orderBy("modules.orderNum")
    .orderBy("lessons.orderNum")
    .execute();
  return Map.groupBy(rows, ({ module }) => module);
}

async function slugs(productId: string) {
  return [...(await order(productId)).values()].map((rows) =>
    rows.flatMap(({ slug, orderNum }) => (slug ? `${orderNum}:${slug}` : [])).join(" "),
  );
}

describe("the order of a course", () => {
  test("numbers that collide become 1 to n of what was shown", async () => {
    const { id, modules } = await createCourse(site.services, [
      [{ slug: "a" }, { slug: "b" }, { slug: "c" }],
    ]);
    await site.services.db.write
      .updateTable("lessons")
      .set({ orderNum: 7 })
      .where("moduleId", "=", modules[0]?.id ?? "")
      .execute();
    const lessonId = modules[0]?.lessons[2]?.id ?? "";
    const answer = await press(id, { intent: "step-lesson", lessonId, direction: "up" });
    expect(toastOf(answer)?.title).toBe("“Lesson 1.3” is 2 of 3 in “Module 1”.");
    expect(await slugs(id)).toEqual(["1:a 2:c 3:b"]);
  });

  test("many moves at once, by many tabs: no lesson is lost or doubled", async () => {
    const { id, modules } = await createCourse(site.services, [
      [{ slug: "a" }, { slug: "b" }, { slug: "c" }],
      [{ slug: "d" }, { slug: "e" }],
      [{ slug: "a" }],
    ]);
    const lessons = modules.flatMap((module) => module.lessons);
    const moves = lessons.flatMap((lesson, index) =>
      modules.map((module, place) =>
        press(id, {
          intent: "move-lesson",
          lessonId: lesson.id,
          moduleId: module.id,
          beforeId: lessons[(index + place) % lessons.length]?.id ?? "",
        }),
      ),
    );
    for (const answer of await Promise.all(moves)) expect(toastOf(answer)?.tone).toBe("success");
    const after = [...(await order(id)).values()];
    const found = after.flatMap((rows) => rows.flatMap(({ lesson }) => lesson ?? []));
    expect(found.toSorted()).toEqual(lessons.map((lesson) => lesson.id).toSorted());
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
    const answer = await press(one.id, {
      intent: "move-lesson",
      lessonId: one.modules[0]?.lessons[0]?.id ?? "",
      moduleId: other.modules[0]?.id ?? "",
    });
    expect(toastOf(answer)).toMatchObject({ title: "Error", tone: "destructive" });
    expect(await slugs(one.id)).toEqual(["1:a"]);
  });

  test("a form opened before does not move a lesson or module back", async () => {
    const { id, modules } = await createCourse(site.services, [[{ slug: "a" }], []]);
    const [first, second] = modules;
    const lessonId = first?.lessons[0]?.id ?? "";
    await press(id, {
      intent: "move-module",
      moduleId: second?.id ?? "",
      beforeId: first?.id ?? "",
    });
    const save = {
      intent: "save",
      revision: "1",
      productId: id,
      title: "Renamed",
      orderNum: "2",
      orderBefore: "2",
    };
    const saved = await site.ask(`/admin/modules/${second?.id}`, { as: coach, form: save });
    expect(toastOf(saved)?.title).toBe("Module updated successfully");
    expect([...(await order(id)).values()][0]?.[0]?.id).toBe(second?.id);
    await press(id, { intent: "move-lesson", lessonId, moduleId: second?.id ?? "" });
    const { revision } = await site.services.db.write
      .selectFrom("lessons")
      .select("revision")
      .where("id", "=", lessonId)
      .executeTakeFirstOrThrow();
    expect(revision).toBe(2);
  });
});

describe("modules", () => {
  const save = (id: string, form: Record<string, string>) =>
    site.ask(id === "new" ? "/admin/modules/new" : `/admin/modules/${id}`, { as: coach, form });

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
  ])("%o is refused", async (wrong, message) => {
    const { id } = await createCourse(site.services, []);
    const form = { productId: id, title: "A kept title", orderNum: "1", ...wrong };
    const response = await save("new", form);
    const body = await response.text();
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(body).toContain(message);
    if (form.title) expect(body).toContain("A kept title");
  });

  test("the next number is proposed, and equal numbers are kept as they are", async () => {
    const { id, modules } = await createCourse(site.services, [[], []]);
    const page = await site.ask(`/admin/modules/new?course=${id}`, { as: coach });
    expect(await page.text()).toMatch(/name="orderNum"[^>]*value="3"/);
    await save("new", { productId: id, title: "Also first", orderNum: "1" });
    const rows = await site.services.db.write
      .selectFrom("modules")
      .select(["id", "orderNum"])
      .where("productId", "=", id)
      .orderBy("orderNum")
      .orderBy("createdAt")
      .execute();
    expect(rows.map(({ orderNum }) => orderNum)).toEqual([1, 1, 2]);
    expect(rows[0]?.id).toBe(modules[0]?.id);
  });

  test("over what somebody else saved meanwhile: refused with both", async () => {
    const { id, modules } = await createCourse(site.services, [[]]);
    const module = modules[0]?.id ?? "";
    const form = { intent: "save", productId: id, orderNum: "1", orderBefore: "1", revision: "1" };
    await save(module, { ...form, title: "One" });
    const stale = await save(module, { ...form, title: "Other" });
    expect(stale.status).toBe(409);
    expect(await stale.text()).toContain("This module was changed elsewhere");
  });
});
