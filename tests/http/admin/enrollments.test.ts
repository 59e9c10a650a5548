import { beforeAll, describe, expect, test } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { newAddress } from "../../support/accounts.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { emailsTo, emailTo } from "../../support/mailbox.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { adminOfFile } from "../../support/people-of-tests.ts";
import { readable, toastOf } from "../../support/responses.ts";
import { siteOfFile } from "../../support/site.ts";

const words = "words of the open lesson";
const list = "/admin/enrollments";
const site = siteOfFile();
const coach = adminOfFile(site, "Nora");
let course: TestCourse;

beforeAll(async () => {
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

describe("POST /admin/enrollments/new", () => {
  test("enrolls by an address in any capitals; again says since when", async () => {
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
  ])("refuses %j, and keeps what was typed", async (typed, message) => {
    const person = await createPerson(site.services);
    const productId = await productIdOf(typed.productId);
    const who = typed.who === "somebody" ? person.email : (typed.who ?? "");
    const response = await create({ productId, who });
    expect(response.status).toBe(400);
    const text = readable(await response.text());
    expect(text).toContain(message);
    if (who) expect(text).toContain(`value="${who}"`);
    if (typed.productId === "course")
      expect(text).toMatch(new RegExp(`<option value="${course.id}" selected`));
    expect(await enrollmentOf(person, productId)).toBeNull();
  });

  test("offers active courses only; the form can begin with a student and a course", async () => {
    await productIdOf("inactive");
    const person = await createPerson(site.services);
    const query = new URLSearchParams({ user: person.id, course: course.id });
    const form = await (await site.ask(`${list}/new?${query}`, { as: coach })).text();
    expect(form).toContain("The course");
    expect(form).not.toContain("Another course");
    expect(form).toContain(`value="${person.email}"`);
    expect(form).toMatch(new RegExp(`<option value="${course.id}" selected`));
    const filters = await (await site.ask(list, { as: coach })).text();
    expect(filters).toContain("Another course (inactive)");
  });
});

/** The id of this course, or of another one in the state that the name says. */
async function productIdOf(name = ""): Promise<string> {
  if (name === "course") return course.id;
  if (name !== "inactive" && name !== "deleted") return name && newId();
  const other = await createCourse(site.services, [], { title: "Another course" });
  const deletedAt = site.services.clock.now();
  await setCourse(other.id, name === "inactive" ? { active: false } : { deletedAt });
  return other.id;
}

test("GET /admin/students/search: by name or address, in order, 20 at most, nothing but three fields", async () => {
  const search = async (q: string) => {
    const address = `/admin/students/search?${new URLSearchParams({ q })}`;
    return (await site.ask(address, { as: coach })).json() as Promise<Person[]>;
  };
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
  for (const nobody of ["nobody-of-that-name", "'; drop table profiles; --%_"])
    expect(await search(nobody)).toEqual([]);
});

describe("POST /admin/enrollments/:id", () => {
  test("ends access everywhere; what was done stays, and is there again with a new enrollment", async () => {
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
    const removed = await site.ask(`${list}/${before?.id}`, {
      as: coach,
      form: { intent: "remove" },
    });
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
    // It may have been closed in the middle of a sentence: drafts are saved (docs/decisions/003).
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

    const twice = await site.ask(`${list}/${before?.id}`, {
      as: coach,
      form: { intent: "remove" },
    });
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

  test("GET: the question names the payment, and the list shows it", async () => {
    const person = await createPerson(site.services, { name: "Mia" });
    await enroll(site.services, { userId: person.id, productId: course.id });
    const { id } = (await enrollmentOf(person)) ?? {};
    const unpaid = readable(await (await site.ask(`${list}/${id}`, { as: coach })).text());
    expect(unpaid).toContain("Nothing was paid for it here, so there is nothing to refund.");
    expect(unpaid).toContain(
      "What Mia completed and wrote there is kept, and comes back with another enrollment.",
    );
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

  test("from four requests at once removes it once", async () => {
    const person = await createPerson(site.services);
    await enroll(site.services, { userId: person.id, productId: course.id });
    const { id } = (await enrollmentOf(person)) ?? {};
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => site.ask(`${list}/${id}`, { as: coach, form: { intent: "remove" } })),
    );
    const titles = answers.map((answer) => toastOf(answer)?.title).sort();
    expect(titles).toEqual(["Enrollment removed successfully", "Error", "Error", "Error"]);
  });
});

describe("POST /admin/enrollments/invite", () => {
  const waiting = (email: string) =>
    site.services.db.read
      .selectFrom("invitations")
      .selectAll()
      .where("email", "=", email)
      .execute();

  test("from three requests at once makes one invitation and one email", async () => {
    const email = newAddress();
    const form = { productId: course.id, email };
    const answers = await Promise.all([invite(form), invite(form), invite(form)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await waiting(email)).toHaveLength(1);
    await emailTo(site.services.config, email);
    await expect
      .poll(async () => {
        const { db } = site.services;
        const due = db.read.selectFrom("outbox").select("id").where("finishedAt", "is", null);
        return (await due.where("kind", "=", "enrollments.invitation").execute()).length;
      })
      .toBe(0);
    expect(emailsTo(site.services.config, email)).toHaveLength(1);
  });

  test("enrolls an account at once, without an email", async () => {
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
    [{ productId: "inactive", email: "a@example.com" }, "Only active courses can be chosen"],
  ] as [Record<string, string>, string][])(
    "refuses %j, and keeps the email",
    async (typed, message) => {
      const response = await invite({ ...typed, productId: await productIdOf(typed.productId) });
      expect(response.status).toBe(400);
      const text = readable(await response.text());
      expect(text).toContain(message);
      if (typed.email) expect(text).toContain(`value="${typed.email.split("\r")[0]}`);
    },
  );

  test("a withdrawn address can be invited again; an accepted one not withdrawn", async () => {
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

  test("refuses more than 100 emails in an hour", async () => {
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
