import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { newAddress } from "../../support/accounts.ts";
import { readable, toastOf } from "../../support/answers.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { lettersTo, letterTo } from "../../support/mailbox.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { startSite, type TestSite } from "../../support/site.ts";

const words = "words of the open lesson";
const list = "/admin/enrollments";
let site: TestSite;
let coach: Person;
let course: TestCourse;

beforeAll(async () => {
  site = await startSite();
  coach = await createPerson(site.services, { role: "admin", name: "Nora" });
  course = await createCourse(
    site.services,
    [
      [
        { content: words, audioKey: "open/sound.mp3" },
        { dripDay: 3, content: "later words" },
      ],
    ],
    { title: "The course" },
  );
});
afterAll(() => site.close());

const create = (form: Record<string, string>) => site.ask(`${list}/new`, { as: coach, form });
const invite = (form: Record<string, string>) =>
  site.ask(`${list}/invite`, { as: coach, form: { intent: "invite", ...form } });
const setCourse = (id: string, values: { active?: boolean; deletedAt?: Date | null }) =>
  site.services.db.write.updateTable("products").set(values).where("id", "=", id).execute();

async function enrollmentOf({ id }: Person, productId = course.id) {
  const rows = await site.services.db.read
    .selectFrom("enrollments")
    .selectAll()
    .where("userId", "=", id)
    .where("productId", "=", productId)
    .execute();
  expect(rows.length).toBeLessThanOrEqual(1);
  return rows[0] ?? null;
}

describe("enrolling by hand", () => {
  test("by an address in any capitals; again is harmless and says since when", async () => {
    const person = await createPerson(site.services, { name: "Ada" });
    const form = { productId: course.id, who: ` ${person.email.toUpperCase()} ` };
    const made = await create(form);
    expect([made.status, made.headers.get("location")]).toEqual([303, list]);
    expect(toastOf(made)).toMatchObject({
      title: "Enrollment created successfully",
      tone: "success",
    });
    const before = await enrollmentOf(person);
    const again = await create(form);
    expect(again.headers.get("location")).toBe(`${list}/${before?.id}`);
    expect(toastOf(again)).toMatchObject({
      title: "Already enrolled",
      description: expect.stringMatching(/^Ada has been in “The course” since \w+ \d+, \d{4}\./),
    });
    expect(await enrollmentOf(person)).toEqual(before);
  });

  test.each<[{ productId?: string; who?: string }, string]>([
    [{}, "Please select both a course and a user"],
    [{ who: "ada@example.com" }, "Please select both a course and a user"],
    [{ productId: "course" }, "Please select both a course and a user"],
    [{ productId: "course", who: "Ada" }, "Choose somebody from the list"],
    [
      { productId: "course", who: "nobody@example.com" },
      "Nobody with this address has an account yet.",
    ],
    [{ productId: "none", who: "somebody" }, "This course does not exist any more"],
    [{ productId: "inactive", who: "somebody" }, "Only active courses can be chosen"],
    [{ productId: "deleted", who: "somebody" }, "This course does not exist any more"],
  ])("%j is refused, and nothing typed is lost", async (typed, message) => {
    const person = await createPerson(site.services);
    const other = await createCourse(site.services, []);
    if (typed.productId === "inactive") await setCourse(other.id, { active: false });
    if (typed.productId === "deleted")
      await setCourse(other.id, { deletedAt: site.services.clock.now() });
    const ids: Record<string, string> = {
      course: course.id,
      inactive: other.id,
      deleted: other.id,
    };
    const form = {
      ...typed,
      ...(typed.productId && { productId: ids[typed.productId] ?? newId() }),
    };
    if (form.who === "somebody") form.who = person.email;
    const answer = await create(form as Record<string, string>);
    expect(answer.status).toBe(400);
    const text = readable(await answer.text());
    expect(text).toContain(message);
    if (form.who) expect(text).toContain(`value="${form.who}"`);
    if (typed.productId === "course")
      expect(text).toMatch(new RegExp(`<option value="${course.id}" selected`));
    expect(await enrollmentOf(person, other.id)).toBeNull();
  });

  test("only active courses are offered", async () => {
    const closed = await createCourse(site.services, [], { title: "A closed course" });
    await setCourse(closed.id, { active: false });
    const form = await (await site.ask(`${list}/new`, { as: coach })).text();
    expect(form).toContain("The course");
    expect(form).not.toContain("A closed course");
    expect(await (await site.ask(list, { as: coach })).text()).toContain(
      "A closed course (inactive)",
    );
  });

  test("the form can begin with a student and a course", async () => {
    const person = await createPerson(site.services);
    const query = new URLSearchParams({ user: person.id, course: course.id });
    const text = await (await site.ask(`${list}/new?${query}`, { as: coach })).text();
    expect(text).toContain(`value="${person.email}"`);
    expect(text).toMatch(new RegExp(`<option value="${course.id}" selected`));
  });
});

describe("looking for somebody", () => {
  const search = async (q: string) =>
    (await (
      await site.ask(`/admin/students/search?${new URLSearchParams({ q })}`, { as: coach })
    ).json()) as { id: string; name: string; email: string }[];

  test("by name or address, ordered by address, 20 at most, and nothing but these three", async () => {
    const name = `Xenia ${newId()}`;
    const people = await Promise.all(
      Array.from({ length: 25 }, () => createPerson(site.services, { name })),
    );
    const found = await search(name);
    const emails = people.map(({ email }) => email).sort();
    expect(found.map(({ email }) => email)).toEqual(emails.slice(0, 20));
    expect(Object.keys(found[0] ?? {}).sort()).toEqual(["email", "id", "name"]);
    expect(await search(people[7]?.email ?? "")).toEqual([people[7]]);
    expect((await search("")).length).toBe(20);
    expect(await search("nobody-of-that-name")).toEqual([]);
    expect(await search("'; drop table profiles; --%_")).toEqual([]);
  });
});

describe("removing", () => {
  test("ends access everywhere, keeps what she did, and gives it back with a new start", async () => {
    const person = await createPerson(site.services, { name: "Lea" });
    await enroll(site.services, { userId: person.id, productId: course.id });
    const [open, later] = course.modules[0]?.lessons ?? [];
    if (!open || !later) throw new Error("no lessons");
    const answers = [{ question: "How was it?", answer: "It was." }];
    const done = { userId: person.id, lessonId: open.id, answers, drafts: [] };
    await completeLesson(site.services, done);
    const path = `/courses/${course.slug}/learn`;
    const open$ = (query = "") => site.ask(`${path}${query}`, { as: person });
    expect(await (await open$(`?lesson=${open.slug}`)).text()).toContain(words);
    site.clock.forwardDays(4);
    expect(await (await open$(`?lesson=${later.slug}`)).text()).toContain("later words");

    const before = await enrollmentOf(person);
    const removed = await site.ask(`${list}/${before?.id}`, { as: coach, form: {} });
    expect(removed.headers.get("location")).toBe(list);
    expect(toastOf(removed)?.title).toBe("Enrollment removed successfully");
    expect(await enrollmentOf(person)).toBeNull();
    const former = await site.services.db.read
      .selectFrom("formerEnrollments")
      .selectAll()
      .where("userId", "=", person.id)
      .execute();
    expect(former).toMatchObject([{ ...before, removedBy: coach.id }]);

    const player = await open$(`?lesson=${open.slug}`);
    expect([player.status, toastOf(player)?.title]).toEqual([303, "Not enrolled"]);
    const completing = await site.ask(path, {
      as: person,
      multipart: [
        ["lessonId", open.id],
        ["question", "How was it?"],
        ["answer", "Again."],
      ],
    });
    expect(toastOf(completing)?.title).toBe("Not enrolled");
    // It was closed in the middle of a sentence, perhaps: what she types is kept for her (decision 011).
    const draft = { draftId: newId(), lessonId: open.id, revision: 1, answers };
    expect(
      (await site.ask(`${path}/draft`, { as: person, method: "PUT", json: draft })).status,
    ).toBe(204);
    for (const name of ["media", "captions", "position"]) {
      const answer = await site.ask(`${path}/${name}?lesson=${open.id}&kind=audio`, { as: person });
      expect(await answer.text()).not.toContain("sound.mp3");
    }
    expect(await (await site.ask("/my-courses", { as: person })).text()).not.toContain(
      "The course",
    );

    const twice = await site.ask(`${list}/${before?.id}`, { as: coach, form: {} });
    expect(toastOf(twice)).toMatchObject({ description: "This enrollment was removed already" });
    expect((await site.ask(`${list}/${before?.id}`, { as: coach })).status).toBe(404);

    const back = await create({ productId: course.id, who: person.email });
    expect(toastOf(back)?.description).toContain("with what was completed and written before");
    expect(await (await open$(`?lesson=${open.slug}`)).text()).toContain("It was.");
    const locked = await open$(`?lesson=${later.slug}`);
    expect(locked.status).toBe(403);
    expect(await locked.text()).not.toContain("later words");
    const page = await site.ask(`${list}/${(await enrollmentOf(person))?.id}`, { as: coach });
    expect(readable(await page.text())).toMatch(/Before: \w+ \d+, \d{4} to \w+ \d+, \d{4}/);
  });

  test("the question names the payment, and the list shows it", async () => {
    const person = await createPerson(site.services, { name: "Mia" });
    await enroll(site.services, { userId: person.id, productId: course.id });
    const { id } = (await enrollmentOf(person)) ?? {};
    await site.services.db.write
      .updateTable("enrollments")
      .set({ stripePaymentId: "pi_3Qab" })
      .where("id", "=", id ?? "")
      .execute();
    expect(readable(await (await site.ask(list, { as: coach })).text())).toContain(
      "Payment: pi_3Qab",
    );
    const page = readable(await (await site.ask(`${list}/${id}`, { as: coach })).text());
    expect(page).toContain("No money is refunded by this. The payment pi_3Qab stays paid.");
  });

  test("pressed several times at once, it is removed once", async () => {
    const person = await createPerson(site.services);
    await enroll(site.services, { userId: person.id, productId: course.id });
    const { id } = (await enrollmentOf(person)) ?? {};
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => site.ask(`${list}/${id}`, { as: coach, form: {} })),
    );
    const titles = answers.map((answer) => toastOf(answer)?.title).sort();
    expect(titles).toEqual(["Enrollment removed successfully", "Error", "Error", "Error"]);
  });
});

describe("inviting", () => {
  const waiting = (email: string) =>
    site.services.db.read
      .selectFrom("invitations")
      .selectAll()
      .where("email", "=", email)
      .execute();

  test("pressed several times at once, one invitation waits and one letter goes", async () => {
    const email = newAddress();
    const form = { productId: course.id, email };
    const answers = await Promise.all([invite(form), invite(form), invite(form)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await waiting(email)).toHaveLength(1);
    await letterTo(site.services.config, email);
    await expect
      .poll(async () => {
        const { db } = site.services;
        const due = db.read.selectFrom("outbox").select("id").where("finishedAt", "is", null);
        return (await due.where("kind", "=", "enrollments.invitation").execute()).length;
      })
      .toBe(0);
    expect(lettersTo(site.services.config, email)).toHaveLength(1);
  });

  test("an account is enrolled at once, without a letter", async () => {
    const person = await createPerson(site.services, { name: "Ida" });
    const answer = await invite({ productId: course.id, email: person.email.toUpperCase() });
    expect(toastOf(answer)?.description).toContain(
      "has an account already, so no invitation was needed",
    );
    expect(await enrollmentOf(person)).not.toBeNull();
    expect(await waiting(person.email)).toEqual([]);
  });

  test.each([
    [{ email: "a@example.com" }, "Please select both a course and an email address"],
    [{ productId: "course" }, "Please select both a course and an email address"],
    [{ productId: "course", email: "no address" }, "Invalid email format"],
    [
      { productId: "course", email: `${"x".repeat(250)}@example.com` },
      "Email must be less than 255 characters",
    ],
    [{ productId: "course", email: "a@example.com\r\nBcc: b@example.com" }, "Invalid email format"],
    [
      { productId: "course", email: "a@example.com", name: "x".repeat(101) },
      "Name must be less than 100 characters",
    ],
    [{ productId: "none", email: "a@example.com" }, "This course does not exist any more"],
  ])("%j is refused", async (typed, message) => {
    const form: Record<string, string> = { ...typed };
    if (form.productId) form.productId = form.productId === "course" ? course.id : newId();
    const answer = await invite(form);
    expect(answer.status).toBe(400);
    expect(readable(await answer.text())).toContain(message);
  });

  test("withdrawn and invited anew; an accepted one can no longer be withdrawn", async () => {
    const email = newAddress();
    await invite({ productId: course.id, email });
    const [{ id } = { id: "" }] = await waiting(email);
    const change = (intent: string) =>
      site.ask(`${list}/invite`, { as: coach, form: { intent, id } });
    expect(toastOf(await change("withdraw"))?.title).toBe("Invitation withdrawn");
    const late = await change("again");
    expect(late.status).toBe(400);
    expect(await late.text()).toContain("This invitation is not waiting any more");
    await invite({ productId: course.id, email });
    expect(await waiting(email)).toHaveLength(2);
    const acceptedAt = site.services.clock.now();
    await site.services.db.write.updateTable("invitations").set({ acceptedAt }).execute();
    expect((await change("withdraw")).status).toBe(400);
  });

  test("a hundred letters an hour are enough", async () => {
    const other = await createPerson(site.services, { role: "admin" });
    const send = () =>
      site.ask(`${list}/invite`, {
        as: other,
        form: { intent: "invite", productId: course.id, email: newAddress() },
      });
    for (let count = 0; count < 100; count += 1) expect((await send()).status).toBe(303);
    const answer = await send();
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("Too many emails for one hour.");
  });
});
