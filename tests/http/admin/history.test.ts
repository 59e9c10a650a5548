import { describe, expect, test } from "vitest";
import { setActive, updateCourse } from "~/features/courses/courses.server.ts";
import { deleteVersionsOfDeleted } from "~/features/courses/deletion.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { editingSite } from "../../support/editing-site.ts";
import { lessonRow } from "../../support/lessons.ts";
import { decode, hidden, mainOf, readable, toastOf } from "../../support/responses.ts";

const kit = editingSite([[{}, {}], [{}]]);

const versions = (kind: "course" | "lesson", id: string) =>
  kit.site.services.db.read
    .selectFrom("versions")
    .select(["number", "content", "authorId", "createdAt"])
    .where("subject", "=", `${kind}:${id}`)
    .orderBy("number")
    .execute();
const contents = async (id: string) =>
  (await versions("lesson", id)).map(({ content }) => JSON.parse(content).content);
const historyOf = (id: string, kind = "lessons") => `/admin/${kind}/${id}/history`;
const see = async (path: string) => readable(mainOf(await kit.page(path)));

/** Presses 'Bring this version back' on a page that was opened before. */
async function opened(id: string, number: number, kind: "lessons" | "courses" = "lessons") {
  const path = historyOf(id, kind);
  const html = await kit.page(`${path}?version=${number}`);
  const names = ["number", "revision", "orderBefore", "active"];
  const entries = names.map((name) => [name, hidden(html, name)[0]]);
  const form = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  return {
    html: decode(html),
    async press() {
      const response = await kit.site.ask(path, { as: kit.admin, form });
      expect(response.headers.get("location")).toMatch(
        new RegExp(`^${path}(\\?version=${number})?$`),
      );
      const { title, description = "" } = toastOf(response) ?? { title: "" };
      return `${title} ${description}`.trim();
    },
  };
}

describe("a lesson's versions", () => {
  test("are of every save, the first one of how it was, and none of the same again", async () => {
    const { id } = kit.lesson();
    const { updatedAt } = await kit.row();
    expect(await see(historyOf(id))).toContain("No versions yet");
    await kit.update({ content: "One." });
    await kit.update({ content: "One." });
    await kit.update({ content: "Two.", title: "Rain" });
    expect(await versions("lesson", id)).toMatchObject([
      { number: 1, authorId: null, createdAt: updatedAt },
      { number: 2, authorId: kit.admin.id },
      { number: 3, authorId: kit.admin.id },
    ]);
    expect(await contents(id)).toEqual(["Some *words*.", "One.", "Two."]);
    const page = await see(historyOf(id));
    for (const words of ["3 versions", "Version 1", "Not recorded", "Version 3"])
      expect(page).toContain(words);
  });

  test("begin with its creation", async () => {
    const id = newId();
    await kit.create({ id, prompts: '[{"question":"How are you?"}]' });
    await kit.create({ id, prompts: '[{"question":"How are you?"}]' });
    const [first, ...more] = await versions("lesson", id);
    expect(more).toEqual([]);
    expect(JSON.parse(first?.content ?? "")).toMatchObject({
      ...{ title: "A new lesson", moduleId: kit.moduleId(), orderNum: 1, dripDay: 0 },
      prompts: [{ question: "How are you?", placeholder: "" }],
    });
  });

  test("are not made by refused saves, nor by drafts", async () => {
    const { id } = kit.lesson();
    await kit.draft({ content: "Half a sent" });
    for (const fields of [{ title: "" }, { revision: "7", content: "Other." }])
      await kit.update(fields);
    await kit.update({ slug: kit.lesson(0, 1).slug });
    expect(await versions("lesson", id)).toEqual([]);
  });

  test("can be looked at, compared and brought back in every field, drafts stay", async () => {
    const { id } = kit.lesson();
    await kit.update({ prompts: '[{"question":"Where are you?","placeholder":"Here"}]' });
    const before = await kit.row();
    const other = { moduleId: kit.moduleId(1), slug: "other", orderNum: "7", dripDay: "3" };
    await kit.update({ ...other, title: "Other", content: "Other *words*.", prompts: "[]" });
    await kit.draft({ content: "Half a sent" });
    const drafts = () => kit.site.services.db.read.selectFrom("drafts").selectAll().execute();
    const draftsBefore = await drafts();
    const { html, press } = await opened(id, 2);
    for (const piece of [
      "<del>Other</del>",
      "<ins>Some</ins>",
      "<ins>1. Where are you?\nPlaceholder: Here</ins>",
      "<del>A course: Module 2\n</del><ins>A course: Module 1</ins>",
    ])
      expect(html).toContain(piece);
    expect(await press()).toBe("Version 2 is back, as the newest version");
    expect(await kit.row()).toEqual({
      ...before,
      ...{ revision: 4, updatedAt: expect.any(Date) },
    });
    const all = await versions("lesson", id);
    expect(all.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    expect(all[3]?.content).toBe(all[1]?.content);
    expect(await drafts()).toEqual(draftsBefore);
    expect(await see(`${historyOf(id)}?version=4`)).toContain("It is the same");
    const audited = kit.site.services.db.read.selectFrom("auditEntries").select("action");
    expect(await audited.where("subjectId", "=", id).execute()).toHaveLength(3);
  });

  test("overwrite nothing that was saved since they were shown", async () => {
    const { id } = kit.lesson();
    await kit.update({ content: "One." });
    const { press } = await opened(id, 1);
    await kit.update({ content: "Of another admin." });
    expect(await press()).toContain("Nothing was brought back. Please look at the changes again.");
    expect((await kit.row()).content).toBe("Of another admin.");
    expect(await versions("lesson", id)).toHaveLength(3);
  });

  test("leave the place in the outline that another admin gave it meanwhile", async () => {
    const { id } = kit.lesson();
    await kit.update({ content: "One." });
    const { press } = await opened(id, 1);
    await kit.set({ orderNum: 9 });
    await press();
    expect(await kit.row()).toMatchObject({ content: "Some *words*.", orderNum: 9 });
    // How it was with the new place comes before it.
    const numbers = (await versions("lesson", id)).map(
      ({ content }) => JSON.parse(content).orderNum,
    );
    expect(numbers).toEqual([1, 1, 9, 9]);
  });

  test("are refused with the reason where they cannot be saved", async () => {
    const { id, slug } = kit.lesson();
    await kit.update({ slug: "moved-away" });
    await kit.update({ slug }, kit.lesson(0, 1).id);
    const taken = await opened(id, 1);
    expect(await taken.press()).toContain("Another lesson of this module has this address.");
    const moved = kit.lesson(1, 0).id;
    await kit.update({ moduleId: kit.moduleId(0) }, moved);
    const module = kit.site.services.db.write.updateTable("modules").set({ deletedAt: new Date() });
    await module.where("id", "=", kit.moduleId(1)).execute();
    const gone = await opened(moved, 1);
    expect(gone.html).toContain("<ins>A module that was deleted</ins>");
    expect(await gone.press()).toContain("The module of this version was deleted");
    const long = { content: JSON.stringify({ ...(await contentOf(id)), title: "x".repeat(201) }) };
    const row = kit.site.services.db.write.updateTable("versions").set(long);
    await row.where("subject", "=", `lesson:${id}`).where("number", "=", 1).execute();
    expect(await (await opened(id, 1)).press()).toContain("A title has 200 characters at most.");
    expect((await lessonRow(kit.site.services, id)).slug).toBe("moved-away");
  });

  async function contentOf(id: string) {
    return JSON.parse((await versions("lesson", id))[0]?.content ?? "{}");
  }

  test("of two saves at the same moment are one more, on either database", async () => {
    const { id } = kit.lesson();
    await Promise.all(
      [1, 2, 3].map((n) => kit.update({ content: `At once ${n}.`, revision: "1" })),
    );
    expect((await versions("lesson", id)).map(({ number }) => number)).toEqual([1, 2]);
  });

  test("are listed by 50, and lead on", async () => {
    const { id } = kit.lesson();
    const { db, clock } = kit.site.services;
    const many = Array.from({ length: 120 }, (_, at) => ({
      ...{ id: newId(), subject: `lesson:${id}`, number: at + 1, content: "{}" },
      createdAt: clock.now(),
    }));
    await db.write.insertInto("versions").values(many).execute();
    const html = await kit.page(historyOf(id));
    expect(readable(html)).toContain("120 versions, page 1 of 3");
    const [, next = ""] =
      /rel="next"[^>]*href="([^"]+)"|href="([^"]+)"[^>]*rel="next"/.exec(html) ?? [];
    const [link = next] = /\/admin\/lessons\/[^"]*\?at=[^"]+/.exec(html) ?? [];
    const second = await see(decode(link));
    expect(second).toContain("Version 70");
    expect(second).not.toContain("Version 71");
  });
});

describe("a course's versions", () => {
  const fieldsOf = async () => {
    const course = kit.site.services.db.read.selectFrom("products").selectAll();
    return course.where("id", "=", kit.course.id).executeTakeFirstOrThrow();
  };
  const save = (more: Record<string, string>, revision: number) =>
    kit.site.ask(`/admin/courses/${kit.course.id}`, {
      as: kit.admin,
      form: {
        ...{ intent: "save", title: "A course", slug: kit.course.slug, description: "" },
        ...{ price: "197", lessonEmails: "notice", comingSoon: "no", revision: String(revision) },
        ...more,
      },
    });

  test("begin with its creation", async () => {
    const id = newId();
    const form = { id, title: "New", slug: `new-${id}`, description: "", price: "12.50" };
    await kit.site.ask("/admin/courses/new", { as: kit.admin, form });
    const [first, ...more] = await versions("course", id);
    expect(more).toEqual([]);
    expect(JSON.parse(first?.content ?? "")).toEqual({
      ...{ title: "New", slug: `new-${id}`, description: null, priceCents: 1250 },
      ...{ lessonEmails: "notice", comingSoon: false, active: false },
    });
  });

  test("can be compared in words and brought back, its price and whether it is active too", async () => {
    const { id } = kit.course;
    const first = await fieldsOf();
    await save({ price: "97", comingSoon: "yes", slug: `renamed-${id}`, description: "Two" }, 1);
    await save({ price: "97", comingSoon: "yes", slug: `renamed-${id}`, description: "Two" }, 2);
    await setActive(kit.site.services, { id, active: false });
    expect(await versions("course", id)).toHaveLength(3);
    const { html, press } = await opened(id, 1, "courses");
    for (const piece of [
      "<del>$97.00\n</del><ins>$197.00</ins>",
      "<del>Yes\n</del><ins>No</ins>",
      "<del>No\n</del><ins>Yes</ins>",
      "This activates the course",
    ])
      expect(html).toContain(piece);
    expect(await press()).toBe("Version 1 is back, as the newest version");
    const now = await fieldsOf();
    expect(now).toEqual({
      ...first,
      ...{ revision: now.revision, updatedAt: now.updatedAt },
    });
    const stored = await versions("course", id);
    expect(stored[3]?.content).toBe(stored[0]?.content);
    const audited = kit.site.services.db.read.selectFrom("auditEntries").select("action");
    const actions = await audited.where("subjectId", "=", id).orderBy("id").execute();
    expect(
      actions
        .slice(-2)
        .map(({ action }) => action)
        .sort(),
    ).toEqual(["course.activated", "course.updated"]);
  });

  test("overwrite nothing that was saved or deactivated since they were shown", async () => {
    const { id, slug } = kit.course;
    await save({ title: "Other" }, 1);
    const early = await opened(id, 1, "courses");
    await setActive(kit.site.services, { id, active: false });
    const words = { title: "Another admin's", slug, description: null, priceCents: 100 };
    await early.press();
    expect(await fieldsOf()).toMatchObject({ title: "A course", active: false });
    const late = await opened(id, 2, "courses");
    const { revision } = await fieldsOf();
    await updateCourse(kit.site.services, { id, revision, ...words });
    expect(await late.press()).toContain("Nothing was brought back. Please look");
    expect(await fieldsOf()).toMatchObject({ title: "Another admin's", priceCents: 100 });
  });

  test("are refused where the address is taken", async () => {
    const { id, slug } = kit.course;
    await save({ slug: `away-${id}` }, 1);
    const form = { id: newId(), title: "New", slug, description: "", price: "1" };
    await kit.site.ask("/admin/courses/new", { as: kit.admin, form });
    const said = await (await opened(id, 1, "courses")).press();
    expect(said).toContain(`Another course has this address. “${slug}-2” is free.`);
    expect(said).toContain("Nothing was brought back.");
  });
});

test("versions of deleted courses and lessons stay as long as these can be restored", async () => {
  const { id } = kit.lesson();
  const { services } = kit.site;
  await kit.update({ content: "One." });
  await setActive(services, { id: kit.course.id, active: false });
  const days = (n: number) => new Date(services.clock.now().getTime() - n * 24 * 3600_000);
  const counts = async () =>
    [await versions("lesson", id), await versions("course", kit.course.id)].map(
      ({ length }) => length,
    );
  const setDeleted = async (deletedAt: Date) => {
    await services.db.write
      .updateTable("lessons")
      .set({ deletedAt })
      .where("id", "=", id)
      .execute();
    const course = services.db.write.updateTable("products").set({ deletedAt });
    await course.where("id", "=", kit.course.id).execute();
  };
  await setDeleted(days(29));
  await deleteVersionsOfDeleted.run(services);
  expect(await counts()).toEqual([2, 2]);
  await setDeleted(days(31));
  await deleteVersionsOfDeleted.run(services);
  expect(await counts()).toEqual([0, 0]);
});
