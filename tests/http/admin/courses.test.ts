import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { newId } from "~/platform/db/ids.ts";
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

const minute = 60_000;
const post = (path: string, form: Record<string, string>) => site.ask(path, { as: coach, form });
const press = (id: string, form: Record<string, string>) => post(`/admin/courses/${id}`, form);
const read = () => site.services.db.write;
const course = (id: string) =>
  read().selectFrom("products").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
const fields = (more: Record<string, string> = {}) => ({
  id: newId(),
  title: "A new course",
  slug: `new-${newId()}`,
  description: "",
  price: "1,197.50",
  ...more,
});

describe("creating", () => {
  test("stores what was typed, not active", async () => {
    const form = fields({ description: " Two\r\nlines " });
    const response = await post("/admin/courses/new", form);
    expect(toastOf(response)?.title).toBe("Course created successfully");
    expect(response.headers.get("location")).toBe(`/admin/courses/${form.id}`);
    expect(await course(form.id)).toMatchObject({
      title: "A new course",
      slug: form.slug,
      description: "Two\nlines",
      priceCents: 119_750,
      active: false,
      revision: 1,
    });
  });

  test("what is sent when a lesson opens is chosen, kept where a form does not say, and copied", async () => {
    const older = fields();
    const form = { ...older, lessonEmails: "lesson" };
    await post("/admin/courses/new", form);
    expect(await course(form.id)).toMatchObject({ lessonEmails: "lesson" });
    await press(form.id, { intent: "save", ...older, title: "Renamed", revision: "1" });
    expect(await course(form.id)).toMatchObject({ title: "Renamed", lessonEmails: "lesson" });
    const copyId = newId();
    await press(form.id, { intent: "duplicate", copyId });
    expect(await course(copyId)).toMatchObject({ lessonEmails: "lesson" });
    const off = { intent: "save", ...form, lessonEmails: "off", revision: "2" };
    expect((await press(form.id, off)).status).toBe(303);
    expect(await course(form.id)).toMatchObject({ lessonEmails: "off" });
    const odd = await press(form.id, { ...off, lessonEmails: "always", revision: "3" });
    expect(odd.status).toBe(400);
    expect(await odd.text()).toContain("Choose what your students get when a lesson opens");
    const other = await press(form.id, { ...off, lessonEmails: "notice", revision: "1" });
    expect(await other.text()).toContain("This course was changed elsewhere since you opened it");
    const plain = fields();
    await post("/admin/courses/new", plain);
    expect(await course(plain.id)).toMatchObject({ lessonEmails: "notice" });
  });

  test("the same form twice, at once, is one course", async () => {
    const form = fields();
    const answers = await Promise.all([1, 2, 3].map(() => post("/admin/courses/new", form)));
    for (const answer of answers)
      expect(answer.headers.get("location")).toBe(`/admin/courses/${form.id}`);
    const made = await read()
      .selectFrom("products")
      .select("id")
      .where("slug", "=", form.slug)
      .execute();
    expect(made).toEqual([{ id: form.id }]);
  });

  test("two who want the same slug at once: one gets it, one a proposal", async () => {
    const slug = `wanted-${newId()}`;
    const answers = await Promise.all(
      [1, 2].map(() => post("/admin/courses/new", fields({ slug }))),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(await refused?.text()).toContain(`“${slug}-2” is free.`);
  });

  test.each([
    [{ title: "  " }, "Title is required"],
    [{ title: "x".repeat(201) }, "A title has 200 characters at most"],
    [{ slug: "" }, "Give it an address"],
    [{ slug: "Not a slug" }, "Use small letters, numbers and hyphens only"],
    [{ slug: "x".repeat(101) }, "An address has 100 characters at most"],
    [{ price: "" }, "Price is required"],
    [{ price: "-1" }, "A price cannot be below zero"],
    [{ price: "NaN" }, "Write the price as a number"],
    [{ price: "1e9" }, "Write the price as a number"],
    [{ price: "1.005" }, "A price has two decimals at most"],
    [{ price: "1000000" }, "The highest price is $999,999.99"],
    [{ description: "x".repeat(5001) }, "A description has 5000 characters at most"],
  ])("%o is refused, and nothing typed is lost", async (wrong, message) => {
    const form = fields({ description: "Every word of it.", ...wrong });
    const response = await post("/admin/courses/new", form);
    const body = await response.text();
    expect(response.status).toBe(400);
    expect(body).toContain(message);
    if (form.description.length < 100) expect(body).toContain("Every word of it.");
    expect(
      await read().selectFrom("products").select("id").where("id", "=", form.id).execute(),
    ).toEqual([]);
  });

  test("other words under an id that is taken make another course", async () => {
    const form = fields();
    await post("/admin/courses/new", form);
    const slug = `other-${newId()}`;
    const second = await post("/admin/courses/new", { ...form, slug, title: "Other words" });
    expect(second.status).toBe(303);
    expect((await course(form.id)).title).toBe("A new course");
    expect(second.headers.get("location")).not.toBe(`/admin/courses/${form.id}`);
  });
});

describe("saving", () => {
  test("over what somebody else saved meanwhile: refused with both, then done", async () => {
    const { id, slug } = await createCourse(site.services, []);
    const form = { intent: "save", slug, price: "197", description: "", title: "One" };
    const first = await press(id, { ...form, revision: "1" });
    expect(toastOf(first)?.title).toBe("Course updated successfully");
    const again = await press(id, { ...form, revision: "1" });
    expect(again.status).toBe(303);
    const stale = await press(id, { ...form, title: "Other", revision: "1" });
    const body = await stale.text();
    expect(stale.status).toBe(409);
    expect(body).toContain("This course was changed elsewhere");
    expect(body).toContain('value="Other"');
    expect((await course(id)).title).toBe("One");
    expect((await press(id, { ...form, title: "Other", revision: "2" })).status).toBe(303);
    expect(await course(id)).toMatchObject({ title: "Other", revision: 3 });
  });

  test("many at once: each is stored or told, none is lost silently", async () => {
    const { id, slug } = await createCourse(site.services, []);
    const form = { intent: "save", slug, price: "197", revision: "1" };
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map((number) => press(id, { ...form, title: `Title ${number}` })),
    );
    const counts = Object.groupBy(answers, ({ status }) => status);
    expect([counts[303]?.length, counts[409]?.length]).toEqual([1, 4]);
    expect((await course(id)).revision).toBe(2);
  });
});

describe("shown and hidden", () => {
  test("seen on the public page at once, which comes from memory", async () => {
    const title = `Seen ${newId()}`;
    const { id } = await createCourse(site.services, [], { title });
    const isSeen = async () => (await (await site.ask("/courses")).text()).includes(title);
    await press(id, { intent: "deactivate" });
    for (const intent of ["activate", "deactivate", "activate", "activate"] as const) {
      await isSeen();
      const response = await post("/admin", { intent, id });
      expect(toastOf(response)?.title).toBe(
        intent === "activate" ? "Course activated" : "Course deactivated",
      );
      expect(await isSeen()).toBe(intent === "activate");
    }
  });
});

/** Everything that students have. */
async function studentRows() {
  const tables = [
    "enrollments",
    "progress",
    "drafts",
    "moduleCompletionEmails",
    "playbackPositions",
  ] as const;
  return Promise.all(tables.map((table) => read().selectFrom(table).selectAll().execute()));
}

describe("deleted and restored", () => {
  async function studied() {
    const made = await createCourse(site.services, [[{}, {}], [{}]]);
    const student = await createPerson(site.services);
    await enroll(site.services, { userId: student.id, productId: made.id });
    const [lesson] = made.modules[0]?.lessons ?? [];
    const said = [{ question: "How?", answer: "Somehow" }];
    await completeLesson(site.services, {
      userId: student.id,
      lessonId: lesson?.id ?? "",
      answers: said,
      drafts: [],
    });
    return { ...made, student };
  }
  const restore = (kind: string, id: string) => post("/admin/courses/deleted", { kind, id });
  const alive = async (id: string) => ({
    modules: (
      await read()
        .selectFrom("modules")
        .select("id")
        .where("productId", "=", id)
        .where("deletedAt", "is", null)
        .execute()
    ).length,
    lessons: (
      await read()
        .selectFrom("lessons")
        .innerJoin("modules", "modules.id", "lessons.moduleId")
        .select("lessons.id")
        .where("modules.productId", "=", id)
        .where("lessons.deletedAt", "is", null)
        .execute()
    ).length,
  });

  test("a course comes back as it was, without what was deleted before", async () => {
    const { id, slug, modules, student } = await studied();
    const before = await studentRows();
    await post("/admin/modules", { intent: "delete", id: modules[1]?.id ?? "" });
    // By a process whose clock is ahead: the course is to be deleted at this very time, or after.
    const ahead = new Date(site.clock.now().getTime() + 500);
    for (const table of ["modules", "lessons"] as const)
      await read()
        .updateTable(table)
        .set({ deletedAt: ahead })
        .where(table === "modules" ? "id" : ("moduleId" as "id"), "=", modules[1]?.id ?? "")
        .execute();
    const deleted = await press(id, { intent: "delete" });
    expect(toastOf(deleted)?.title).toBe("Course deleted successfully");
    expect(deleted.headers.get("location")).toBe("/admin");
    expect(await alive(id)).toEqual({ modules: 0, lessons: 0 });
    expect((await site.ask(`/courses/${slug}`)).status).toBe(404);
    expect(toastOf(await press(id, { intent: "delete" }))?.title).toBe("Error");

    const early = await restore("module", modules[1]?.id ?? "");
    expect(toastOf(early)?.description).toBe("Its course is deleted. Restore the course first.");
    const restored = await restore("course", id);
    expect(toastOf(restored)).toMatchObject({ title: "Course restored" });
    expect(await alive(id)).toEqual({ modules: 1, lessons: 2 });
    expect(await course(id)).toMatchObject({ slug, active: true, deletedAt: null });
    expect(await studentRows()).toEqual(before);
    const player = await site.ask(`/courses/${slug}/learn`, { as: student });
    expect(await player.text()).toContain("50% Complete");
    expect(toastOf(await restore("course", id))?.title).toBe("Error");
    expect(toastOf(await restore("module", modules[1]?.id ?? ""))?.title).toBe("Module restored");
    expect(await alive(id)).toEqual({ modules: 2, lessons: 3 });
  });

  test("under another slug when its own was taken meanwhile", async () => {
    const { id, slug } = await createCourse(site.services, []);
    await press(id, { intent: "delete" });
    await createCourse(site.services, [], { slug });
    const restored = await restore("course", id);
    expect(toastOf(restored)?.description).toBe(
      `Its slug was taken meanwhile. It is now “${slug}-2”.`,
    );
    expect((await course(id)).slug).toBe(`${slug}-2`);
  });

  test("a lesson by itself, under another slug", async () => {
    const { id, modules } = await createCourse(site.services, [[{ slug: "water" }, {}]]);
    const [lesson] = modules[0]?.lessons ?? [];
    const lessons = () => read().updateTable("lessons");
    await lessons()
      .set({ deletedAt: site.clock.now() })
      .where("id", "=", lesson?.id ?? "")
      .execute();
    await lessons()
      .set({ slug: "water" })
      .where("id", "=", modules[0]?.lessons[1]?.id ?? "")
      .execute();
    expect(toastOf(await restore("lesson", lesson?.id ?? ""))?.description).toContain("“water-2”");
    expect(await alive(id)).toEqual({ modules: 1, lessons: 2 });
  });

  test("for 30 days, and no longer", async () => {
    const { id } = await createCourse(site.services, [[{}]], { title: "Thirty days" });
    const other = await createCourse(site.services, [[{}]], { title: "Thirty other days" });
    await press(id, { intent: "delete" });
    await press(other.id, { intent: "delete" });
    const list = async () => (await site.ask("/admin/courses/deleted", { as: coach })).text();
    site.clock.forward(30 * 24 * 60 * minute - minute);
    expect(await list()).toContain("Restore Thirty days");
    expect(toastOf(await restore("course", other.id))?.title).toBe("Course restored");
    site.clock.forward(2 * minute);
    expect(await list()).not.toContain("Restore Thirty days");
    expect(toastOf(await restore("course", id))?.description).toContain("more than 30 days ago");
    expect((await course(id)).deletedAt).not.toBeNull();
  });
});

describe("a copy", () => {
  test("has everything that was written, and no students", async () => {
    const prompts = [{ question: "How was it?", placeholder: "Take your time" }];
    const { id, slug } = await createCourse(site.services, [
      [{ content: "# Words", prompts, dripDay: 3, audioKey: "a/b.mp3", muxPlaybackId: "a/b.mp4" }],
      [{}, {}],
    ]);
    const student = await createPerson(site.services);
    await enroll(site.services, { userId: student.id, productId: id });
    const copyId = newId();
    const answers = await Promise.all([1, 2].map(() => press(id, { intent: "duplicate", copyId })));
    for (const answer of answers)
      expect(answer.headers.get("location")).toBe(`/admin/courses/${copyId}`);
    expect(await course(copyId)).toMatchObject({
      slug: `${slug}-copy`,
      title: "A course (copy)",
      active: false,
    });
    const lessonsOf = (productId: string) =>
      read()
        .selectFrom("lessons")
        .innerJoin("modules", "modules.id", "lessons.moduleId")
        .select(["lessons.title", "lessons.slug", "lessons.content", "lessons.contentHtml"])
        .select(["lessons.prompts", "lessons.dripDay", "lessons.orderNum"])
        .select(["lessons.audioKey", "lessons.muxPlaybackId", "modules.title as module"])
        .where("modules.productId", "=", productId)
        .orderBy("modules.orderNum")
        .orderBy("lessons.orderNum")
        .execute();
    expect(await lessonsOf(copyId)).toEqual(await lessonsOf(id));
    const students = read().selectFrom("enrollments").select("id").where("productId", "=", copyId);
    expect(await students.execute()).toEqual([]);
  });
});

describe("seen as a student", () => {
  test.each(["student", "admin"] as const)("by a %s who is enrolled", async (role) => {
    const made = await createCourse(site.services, [[{}, { dripDay: 9, content: "locked words" }]]);
    const person = await createPerson(site.services, { role });
    await enroll(site.services, { userId: person.id, productId: made.id });
    const [first, locked] = made.modules[0]?.lessons ?? [];
    await press(made.id, { intent: "deactivate" });
    const before = await studentRows();
    const at = `/courses/${made.slug}/learn?view=student`;
    const page = await site.ask(`${at}&lesson=${locked?.slug}~${locked?.id}`, { as: person });
    const body = await page.text();
    expect(page.status).toBe(role === "admin" ? 200 : 403);
    expect(body.includes("locked words")).toBe(role === "admin");
    expect(body.includes("You are looking at this as a student")).toBe(role === "admin");
    if (role === "student") return;
    const sent = await site.ask(at, {
      as: person,
      multipart: [
        ["lessonId", first?.id ?? ""],
        ["question", "How?"],
        ["answer", "It was."],
      ],
    });
    expect(sent.status).toBe(403);
    expect(await studentRows()).toEqual(before);
  });
});
