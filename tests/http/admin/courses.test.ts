import { describe, expect, test } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse } from "../../support/courses.ts";
import { createPerson } from "../../support/people.ts";
import { adminOfFile } from "../../support/people-of-tests.ts";
import { ownThingsOf } from "../../support/personal-columns.ts";
import { toastOf } from "../../support/responses.ts";
import { siteOfFile } from "../../support/site.ts";

const site = siteOfFile();
const coach = adminOfFile(site);

const post = (path: string, form: Record<string, string>) => site.ask(path, { as: coach, form });
const press = (id: string, form: Record<string, string>) => post(`/admin/courses/${id}`, form);
const create = (form: Record<string, string>) => press("new", form);
const rows = () => site.services.db.write.selectFrom("products").selectAll();
const course = (id: string) => rows().where("id", "=", id).executeTakeFirstOrThrow();
const fields = (more: Record<string, string> = {}) => ({
  ...{ id: newId(), title: "A new course", slug: `new-${newId()}` },
  ...{ description: "", price: "1,197.50", ...more },
});

describe("POST /admin/courses/new", () => {
  test("stores what was typed, not active", async () => {
    const form = fields({ description: " Two\r\nlines " });
    const response = await create(form);
    expect(toastOf(response)?.title).toBe("Course created successfully");
    expect(response.headers.get("location")).toBe(`/admin/courses/${form.id}`);
    expect(await course(form.id)).toMatchObject({
      ...{ title: "A new course", slug: form.slug, description: "Two\nlines" },
      ...{ priceCents: 119_750, active: false, lessonEmails: "notice", revision: 1 },
    });
  });

  test("from the same form three times at once makes one course", async () => {
    const form = fields();
    for (const answer of await Promise.all([1, 2, 3].map(() => create(form))))
      expect(answer.headers.get("location")).toBe(`/admin/courses/${form.id}`);
    expect(await rows().where("slug", "=", form.slug).execute()).toMatchObject([{ id: form.id }]);
  });

  test("makes another course of other text under an id that is taken", async () => {
    const form = fields();
    await create(form);
    const second = await create({ ...form, slug: `other-${newId()}`, title: "Other" });
    expect(second.status).toBe(303);
    expect((await course(form.id)).title).toBe("A new course");
    expect(second.headers.get("location")).not.toBe(`/admin/courses/${form.id}`);
  });

  test("gives a slug that two want at once to one, and the other a proposal", async () => {
    const slug = `wanted-${newId()}`;
    const answers = await Promise.all([1, 2].map(() => create(fields({ slug }))));
    const [made, refused] = answers.toSorted((one, other) => one.status - other.status);
    expect([made?.status, refused?.status]).toEqual([303, 409]);
    expect(await refused?.text()).toContain(`“${slug}-2” is free.`);
  });

  test.each([
    [{ title: "  " }, "Title is required"],
    [{ title: "x".repeat(201) }, "A title has 200 characters at most"],
    [{ slug: "" }, "Give it an address"],
    [{ slug: "Not a slug" }, "Use small letters, numbers and hyphens only"],
    [{ slug: "x".repeat(101) }, "An address has 100 characters at most"],
    [{ price: "NaN" }, "Write the price as a number"],
    [{ description: "x".repeat(5001) }, "A description has 5000 characters at most"],
  ])("refuses %o, and returns what was typed", async (wrong, message) => {
    const form = fields({ description: "Every word of it.", ...wrong });
    const response = await create(form);
    const body = await response.text();
    expect(response.status).toBe(400);
    expect(body).toContain(message);
    expect(body).toContain(form.description);
    expect(await rows().where("id", "=", form.id).execute()).toEqual([]);
  });
});

describe("POST /admin/courses/:id", () => {
  test("'Coming soon' is a choice of the form, and stays where a form does not have it", async () => {
    const { id, slug } = await createCourse(site.services, []);
    const page = async () => (await site.ask(`/admin/courses/${id}`, { as: coach })).text();
    const save = async (more: Record<string, string>) => {
      const { revision } = await course(id);
      return press(id, {
        ...fields({ slug, ...more }),
        intent: "save",
        revision: String(revision),
      });
    };
    expect(await page()).toContain("as Stripe is not connected");
    expect(toastOf(await save({ comingSoon: "yes" }))?.title).toBe("Course updated successfully");
    expect(await course(id)).toMatchObject({ comingSoon: true, active: true });
    expect(await page()).toContain("Active, coming soon: visitors see its page");
    expect(await page()).toMatch(/<option value="yes" selected="">Yes</);
    await save({ title: "Another title" });
    expect((await course(id)).comingSoon).toBe(true);
    expect((await save({ comingSoon: "perhaps" })).status).toBe(400);
    await save({ comingSoon: "no" });
    expect((await course(id)).comingSoon).toBe(false);
  });

  test("save: over what was saved elsewhere, it is refused with both, then done", async () => {
    const { id, slug } = await createCourse(site.services, []);
    const form = { intent: "save", slug, price: "197", description: "", title: "One" };
    const first = await press(id, { ...form, revision: "1" });
    expect(toastOf(first)?.title).toBe("Course updated successfully");
    expect((await press(id, { ...form, revision: "1" })).status).toBe(303);
    // A form that is refused for another reason keeps the revision that it was opened with.
    const unpriced = await press(id, { ...form, title: "Other", revision: "1", price: "" });
    expect(unpriced.status).toBe(400);
    expect(await unpriced.text()).toContain('name="revision" value="1"');
    const stale = await press(id, { ...form, title: "Other", revision: "1" });
    const body = await stale.text();
    expect(stale.status).toBe(409);
    expect(body).toContain("This course was changed elsewhere");
    expect(body).toContain('value="Other"');
    expect(body).toContain('name="revision" value="2"');
    expect((await course(id)).title).toBe("One");
    expect((await press(id, { ...form, title: "Other", revision: "2" })).status).toBe(303);
    expect(await course(id)).toMatchObject({ title: "Other", revision: 3 });
  });

  test("save: of five at once, one is stored and four are refused", async () => {
    const { id, slug } = await createCourse(site.services, []);
    const form = { intent: "save", slug, price: "197", revision: "1" };
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map((number) => press(id, { ...form, title: `Title ${number}` })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409, 409, 409, 409]);
    expect((await course(id)).revision).toBe(2);
  });

  test("save: what opening lessons send is chosen, unchanged where a form lacks it, and copied", async () => {
    const plain = fields();
    const form = { ...plain, lessonEmails: "lesson" };
    await create(form);
    expect(await course(form.id)).toMatchObject({ lessonEmails: "lesson" });
    await press(form.id, { intent: "save", ...plain, title: "Renamed", revision: "1" });
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
    const stale = await press(form.id, { ...off, lessonEmails: "notice", revision: "1" });
    expect(await stale.text()).toContain("This course was changed elsewhere since you opened it");
  });

  test("activate and deactivate: the cached public page follows at once", async () => {
    const title = `Seen ${newId()}`;
    const { id } = await createCourse(site.services, [], { title });
    const isSeen = async () => (await (await site.ask("/courses")).text()).includes(title);
    await press(id, { intent: "deactivate" });
    for (const [intent, message] of [
      ["activate", "Course activated"],
      ["deactivate", "Course deactivated"],
      ["activate", "Course activated"],
      ["activate", "Course activated"],
    ] as const) {
      await isSeen();
      expect(toastOf(await post("/admin", { intent, id }))?.title).toBe(message);
      expect(await isSeen()).toBe(intent === "activate");
    }
  });

  test("duplicate: twice at once makes one copy with all lessons, and no students", async () => {
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
    const copy = { slug: `${slug}-copy`, title: "A course (copy)", active: false };
    expect(await course(copyId)).toMatchObject(copy);
    const { write } = site.services.db;
    const lessonsOf = async (productId: string) => {
      const lessons = await write
        .selectFrom("lessons")
        .innerJoin("modules", "modules.id", "lessons.moduleId")
        .select(["lessons.id", "lessons.title", "lessons.slug", "lessons.content"])
        .select(["lessons.contentHtml", "lessons.prompts", "lessons.dripDay", "lessons.orderNum"])
        .select(["lessons.audioKey", "lessons.muxPlaybackId", "modules.title as module"])
        .where("modules.productId", "=", productId)
        .orderBy("modules.orderNum")
        .orderBy("lessons.orderNum")
        .execute();
      return {
        ids: lessons.map((lesson) => lesson.id),
        all: lessons.map((l) => ({ ...l, id: "" })),
      };
    };
    const [copied, original] = [await lessonsOf(copyId), await lessonsOf(id)];
    expect(copied.all).toEqual(original.all);
    // Lessons of its own: a change of the copy leaves the original alone.
    expect(new Set([...copied.ids, ...original.ids]).size).toBe(6);
    const students = write.selectFrom("enrollments").select("id").where("productId", "=", copyId);
    expect(await students.execute()).toEqual([]);
  });
});

test.each(["student", "admin"] as const)(
  "GET /courses/:slug/learn?view=student: a locked lesson by a %s who is enrolled; nothing is recorded",
  async (role) => {
    const made = await createCourse(site.services, [[{}, { dripDay: 9, content: "locked words" }]]);
    const person = await createPerson(site.services, { role });
    await enroll(site.services, { userId: person.id, productId: made.id });
    const [first, locked] = made.modules[0]?.lessons ?? [];
    await press(made.id, { intent: "deactivate" });
    const recorded = async () => ({
      ...(await ownThingsOf(site.services, person.id)),
      sessions: 0,
    });
    const before = await recorded();
    const at = `/courses/${made.slug}/learn?view=student`;
    const page = await site.ask(`${at}&lesson=${locked?.slug}~${locked?.id}`, { as: person });
    const body = await page.text();
    const isAdmin = role === "admin";
    expect(page.status).toBe(isAdmin ? 200 : 403);
    expect(body.includes("locked words")).toBe(isAdmin);
    expect(body.includes("You are looking at this as a student")).toBe(isAdmin);
    if (!isAdmin) return;
    const answers: [string, string][] = [
      ["lessonId", first?.id ?? ""],
      ["question", "How?"],
      ["answer", "It was."],
    ];
    expect((await site.ask(at, { as: person, multipart: answers })).status).toBe(403);
    expect(await recorded()).toEqual(before);
  },
);

describe("GET /admin/slug", () => {
  async function ask(question: Record<string, string>) {
    const response = await site.ask(`/admin/slug?${new URLSearchParams(question)}`, { as: coach });
    expect(response.status).toBe(200);
    return (await response.json()) as object;
  }

  test.each([
    ["Grief & sleep", "grief-and-sleep"],
    ["  Müde?  Ça va! ", "muede-ca-va"],
    ["Żółć", "zolc"],
    ["💙", "course"],
    ["", "course"],
    ["a".repeat(400), "a".repeat(100)],
  ])("makes one of the title %s", async (title, slug) => {
    const free = { slug, free: true, proposal: slug, problem: null };
    expect(await ask({ kind: "course", title })).toEqual(free);
  });

  test.each(["Hello World", "a--b", "-a", "a/b", "a%", "ä"])("%s is none", async (slug) => {
    const answer = await ask({ kind: "course", slug });
    expect(answer).toMatchObject({ slug, free: false, problem: "invalid" });
    expect(answer).toHaveProperty("proposal", expect.stringMatching(/^[a-z0-9-]+$/));
  });

  test("proposes a free one for a taken one; a course's own and a deleted course's are free", async () => {
    const first = await createCourse(site.services, [], { slug: "first-days" });
    await createCourse(site.services, [], { slug: "first-days-2" });
    const taken = { slug: "first-days", free: false, proposal: "first-days-3", problem: "taken" };
    expect(await ask({ kind: "course", slug: "first-days" })).toEqual(taken);
    const title = { kind: "course", title: "First days" };
    expect(await ask(title)).toMatchObject({ free: false, proposal: "first-days-3" });
    const own = { kind: "course", slug: "first-days", id: first.id };
    expect(await ask(own)).toMatchObject({ free: true });
    await press(first.id, { intent: "delete" });
    expect(await ask(title)).toMatchObject({ free: true });
  });

  test("checks a lesson's within its module", async () => {
    const { modules } = await createCourse(site.services, [[{ slug: "water" }], []]);
    const [first, second] = modules.map(({ id }) => id) as [string, string];
    const lesson = { kind: "lesson", slug: "water" };
    expect(await ask({ ...lesson, moduleId: first })).toMatchObject({ proposal: "water-2" });
    for (const moduleId of [second, "none"])
      expect(await ask({ ...lesson, moduleId })).toMatchObject({ free: true });
    expect(await ask({ kind: "lesson", title: "" })).toMatchObject({ slug: "lesson" });
  });
});
