import { beforeEach, describe, expect, test } from "vitest";
import { saveEmailPreferences } from "~/features/accounts/email-preferences.server.ts";
import {
  countStudents,
  listCourseEmails,
  resumeCourseEmail,
  sendCourseEmail,
  stopCourseEmail,
} from "~/features/course-emails/course-emails.server.ts";
import { courseEmailPortions } from "~/features/course-emails/jobs.server.ts";
import { courseEmailMessages, mostADay, resumableDays } from "~/features/course-emails/messages.ts";
import { enrollmentMessages } from "~/features/enrollments/messages.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { createCourse, type TestCourse } from "../support/courses.ts";
import { emailsTo } from "../support/mailbox.ts";
import { settled, unsubscribePath } from "../support/newsletter.ts";
import { outboxOfEachTest, until } from "../support/outbox.ts";
import { createPerson, type Person } from "../support/people.ts";
import { adminOfFile } from "../support/people-of-tests.ts";
import { decode, hidden, mainOf, readable, toastOf } from "../support/responses.ts";
import { siteOfFile } from "../support/site.ts";

const path = "/admin/course-emails";
const hello = { subject: "A call on Thursday", text: "Come if you like.\n\nIt is at seven." };

/** Enrolls a person, without the emails of an enrollment. */
async function enrolled(services: Services, { id: productId }: TestCourse, name = "Ada") {
  const person = await createPerson(services, { name });
  const values = { id: newId(), userId: person.id, productId, createdAt: services.clock.now() };
  await services.db.write.insertInto("enrollments").values(values).execute();
  return person;
}

const change = ({ db }: Services, { id }: Person, fields: object) =>
  db.write.updateTable("profiles").set(fields).where("id", "=", id).execute();
const decline = (services: Services, { id: userId }: Person) =>
  saveEmailPreferences(services, { userId, asked: ["course-email"], wanted: [] });

describe("POST /admin/course-emails", () => {
  const site = siteOfFile();
  const coach = adminOfFile(site, "Nora");
  let course: TestCourse;
  let ada: Person;
  beforeEach(async () => {
    course = await createCourse(site.services, [[{}]], { title: "Water" });
    ada = await enrolled(site.services, course);
  });
  const ask = (form: Record<string, string>) =>
    site.ask(path, { as: coach, form: { productId: course.id, ...hello, ...form } });
  const pageOf = async (answer: Response) => decode(readable(mainOf(await answer.text())));
  const press = async (form = {}) => {
    const [id = ""] = hidden(await (await ask({ intent: "preview", ...form })).text(), "id");
    return { intent: "send", id, ...form };
  };
  const inbox = async (person = ada) => {
    await settled(site);
    return emailsTo(site.services.config, person.email);
  };

  test("shows what is sent and to how many, leads back with the text, and sends it once", async () => {
    const grace = await enrolled(site.services, course, "Grace");
    const preview = await ask({ intent: "preview" });
    const html = await preview.text();
    expect(preview.status).toBe(200);
    const shown = decode(readable(mainOf(html)));
    for (const words of ["2 students", "Hello Nora,", "Come if you like.", "Send to 2 students"])
      expect(shown).toContain(words);
    const back = await pageOf(await ask({ intent: "edit" }));
    for (const words of [hello.subject, hello.text]) expect(back).toContain(words);
    expect(await inbox()).toEqual([]);

    const form = { intent: "send", id: hidden(html, "id")[0] ?? "" };
    const answers = await Promise.all([ask(form), ask(form), ask(form)]);
    const titles = answers.map((answer) => toastOf(answer)?.title).sort();
    expect(titles).toEqual([
      "This email is sent already",
      "This email is sent already",
      "Your email is on its way",
    ]);
    // Another tab has a preview of its own.
    expect(toastOf(await ask(await press()))?.title).toBe("This email is sent already");
    const listed = await site.ask(path, { as: coach });
    const [readAgain] = (await listed.text()).match(/\/admin\/course-emails\?email=[^"]+/) ?? [];
    const read = await pageOf(await site.ask(readAgain ?? "", { as: coach }));
    for (const words of ["To the students of Water, ", "Come if you like."])
      expect(read).toContain(words);
    const none = await pageOf(await site.ask(`${path}?email=${newId()}`, { as: coach }));
    expect(none).not.toContain("What you wrote");
    for (const person of [ada, grace]) {
      const emails = await inbox(person);
      expect(emails).toHaveLength(1);
      const [{ subject, text, source } = { subject: "", text: "", source: "" }] = emails;
      expect(subject).toBe(hello.subject);
      expect(text).toMatch(
        new RegExp(`^[\\s\\S]*Hello ${person.name},\\s+Come if you like.\\s+It is`),
      );
      expect(text).toMatch(/because you are enrolled in one of my\s+courses/);
      expect(source).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    }
    const list = await pageOf(await site.ask(path, { as: coach }));
    expect(list).toContain("2 written to files.");
    const audit = await pageOf(await site.ask("/admin/audit", { as: coach }));
    for (const words of ["Sent an email to the students of a course", "To 2 students"])
      expect(audit).toContain(words);
    expect(audit).toContain(`Water: ${hello.subject}`);
  });

  test("an address in the text is a link, and anything else is what was typed", async () => {
    const text = "See https://calls.example/x?a=1&b=2. <b>Bold</b>\r\nand *stars*";
    await ask(await press({ text }));
    const [{ source, text: plain } = { source: "", text: "" }] = await inbox();
    const html = source.replaceAll(/=\r?\n/g, "").replaceAll("=3D", "=");
    expect(html).toContain('href="https://calls.example/x?a=1&amp;b=2"');
    expect(html).toContain("&lt;b&gt;Bold&lt;/b&gt;<br/>and *stars*");
    expect(plain.replaceAll("=3D", "=")).toContain(
      "<https://calls.example/x?a=1&b=2>. <b>Bold</b>",
    );
  });

  test("says who is left out and why, and sends nothing to them", async () => {
    const { services } = site;
    const people = { Off: ada } as Record<string, Person>;
    for (const name of ["Suspended", "Leaving", "Unverified", "Reached"])
      people[name] = await enrolled(services, course, name);
    const { Off, Suspended, Leaving, Unverified, Reached } = people as Record<
      "Off" | "Suspended" | "Leaving" | "Unverified" | "Reached",
      Person
    >;
    await decline(services, Off);
    await change(services, Suspended, { suspendedAt: site.clock.now() });
    const soon = new Date(site.clock.now().getTime() + 3600_000);
    await change(services, Leaving, { deletionDueAt: soon });
    await change(services, Unverified, { emailVerified: false });
    const shown = await pageOf(await ask({ intent: "preview" }));
    expect(shown).toContain("Send to 1 student");
    expect(shown).toContain(
      "Left out: 1 turned these emails off, 1 suspended, 1 about to be deleted, 1 email address not confirmed.",
    );
    await ask(await press());
    expect(await inbox(Reached)).toHaveLength(1);
    for (const person of [Off, Suspended, Leaving, Unverified])
      expect(await inbox(person)).toEqual([]);
  });

  test("one click of a mail program ends these emails", async () => {
    await ask(await press());
    const [email] = await inbox();
    const oneClick = { form: { "List-Unsubscribe": "One-Click" }, origin: null };
    const off = email ? unsubscribePath(email) : "";
    expect((await site.ask(off, oneClick)).status).toBe(200);
    const nobody = await ask(await press({ text: "Another." }));
    expect(nobody.status).toBe(400);
    expect(await pageOf(nobody)).toContain(courseEmailMessages.noStudents);
    expect(await inbox()).toHaveLength(1);
  });

  const { noCourse, noSubject, longSubject, lines, noText, longText } = courseEmailMessages;
  test.each([
    [noCourse, { productId: "" }],
    [noSubject, { subject: "  " }],
    [longSubject, { subject: "a".repeat(151) }],
    [lines, { subject: "Hello\r\nBcc: all@example.com" }],
    [noText, { text: "\r\n " }],
    [longText, { text: "a".repeat(10_001) }],
    [enrollmentMessages.noSuchCourse, { productId: newId() }],
  ])("refuses what cannot be sent, with what was typed: %s", async (message, wrong) => {
    for (const intent of ["preview", "send"]) {
      const answer = await ask({ intent, id: newId(), ...wrong });
      expect(answer.status).toBe(400);
      const page = await pageOf(answer);
      expect(page).toContain(message);
      const { subject, text } = { ...hello, ...wrong };
      // In an attribute, browsers read one line break where two characters were sent.
      expect(page).toContain(subject.trim().split("\r")[0]);
      expect(page).toContain(text.trim());
    }
    expect(await inbox()).toEqual([]);
  });

  test(`takes ${mostADay} emails to a course in a day, and says so with the text`, async () => {
    for (let n = 0; n < mostADay; n += 1) await ask(await press({ subject: `Number ${n}` }));
    for (const intent of ["preview", "send"]) {
      const answer = await ask({ intent, id: newId() });
      expect(answer.status).toBe(400);
      const page = await pageOf(answer);
      for (const words of [courseEmailMessages.tooMany, hello.text]) expect(page).toContain(words);
    }
    expect(await inbox()).toHaveLength(mostADay);
    site.clock.forwardDays(1);
    expect((await ask(await press())).status).toBe(303);
  });

  test("keeps what was typed when the list cannot be loaded", async () => {
    const rename = (from: string, to: string) =>
      site.services.db.write.schema.alterTable(from).renameTo(to).execute();
    await rename("outbox", "outbox_away");
    const pages = [];
    for (const intent of ["preview", "edit"]) pages.push(await pageOf(await ask({ intent })));
    await rename("outbox_away", "outbox");
    expect(pages[0]).toContain("Send to 1 student");
    for (const words of [courseEmailMessages.loadFailed, hello.text])
      expect(pages[1]).toContain(words);
  });

  test("is found at the course and under Email", async () => {
    const link = `href="${path}?course=${course.id}"`;
    const page = await site.ask(`/admin/courses/${course.id}`, { as: coach });
    expect(await page.text()).toContain(link);
    const chosen = await site.ask(`${path}?course=${course.id}`, { as: coach });
    expect(await chosen.text()).toContain(`<option value="${course.id}" selected="">`);
    expect(await (await site.ask("/admin/mail", { as: coach })).text()).toContain(`href="${path}"`);
  });
});

describe("an email to the students of a course", () => {
  const kit = outboxOfEachTest();
  let course: TestCourse;
  beforeEach(async () => {
    course = await createCourse(kit.services, [[{}]]);
  });
  const send = (fields = {}) =>
    sendCourseEmail(kit.services, { id: newId(), productId: course.id, ...hello, ...fields });
  const list = () => listCourseEmails(kit.services, { cursor: null, limit: 20 }, "UTC");
  const line = async () => (await list()).rows[0];

  /** Many, enrolled in the same moment: a position is a time and an id. */
  async function crowd(size: number) {
    const { db, clock } = kit.services;
    const createdAt = clock.now();
    const ids = Array.from({ length: size }, () => newId());
    const common = { name: "Ada", emailVerified: true, role: "student" as const, createdAt };
    await db.write
      .insertInto("profiles")
      .values(
        ids.map((id) => ({ id, email: `${id}@example.com`, ...common, updatedAt: createdAt })),
      )
      .execute();
    await db.write
      .insertInto("enrollments")
      .values(ids.map((id) => ({ id, userId: id, productId: course.id, createdAt })))
      .execute();
    return ids;
  }

  test("reaches each student once, with two workers and a stop after the first portion", async () => {
    const server = await kit.serve();
    const ids = await crowd(520);
    await send();
    const [row] = (await list()).rows;
    const stopped = AbortSignal.abort();
    const payload = { emailId: row?.id };
    await expect(
      courseEmailPortions.perform(kit.services, payload, { id: newId(), signal: stopped }),
    ).rejects.toThrow();
    expect(await line()).toMatchObject({ recipients: 500, waiting: 500, isGoing: true });
    kit.clock.forward(1);
    await crowd(1);
    kit.work();
    kit.work();
    await until(
      async () =>
        expect(await line()).toMatchObject({ recipients: 520, sent: 520, isGoing: false }),
      { timeout: 50_000 },
    );
    expect(server.messages).toHaveLength(520);
    const to = new Set(server.messages.flatMap((message) => message.to));
    expect(to).toEqual(new Set(ids.map((id) => `${id}@example.com`)));
  }, 60_000);

  test("does not reach who enrolls after it was confirmed", async () => {
    const server = await kit.serve();
    await enrolled(kit.services, course);
    await send();
    kit.clock.forward(1);
    await enrolled(kit.services, course, "Later");
    kit.work();
    await until(async () => expect(await line()).toMatchObject({ sent: 1, isGoing: false }));
    expect(server.messages).toHaveLength(1);
  });

  test("is checked again for each student when it is sent", async () => {
    const { services } = kit;
    const people: Person[] = [];
    for (const name of ["Ada", "Off", "Suspended", "Ended", "Refusing"])
      people.push(await enrolled(services, course, name));
    const [ada, off, suspended, ended, refusing] = people as [
      Person,
      Person,
      Person,
      Person,
      Person,
    ];
    await send();
    const [row] = (await list()).rows;
    await courseEmailPortions.perform(
      services,
      { emailId: row?.id },
      { id: newId(), signal: new AbortController().signal },
    );
    expect(await line()).toMatchObject({ recipients: 5, waiting: 5 });
    await decline(services, off);
    await change(services, suspended, { suspendedAt: kit.clock.now() });
    const left = services.db.write.deleteFrom("enrollments").where("userId", "=", ended.id);
    await left.execute();
    const server = await kit.serve();
    const refusal = { at: "rcpt", answer: 550, text: "5.1.1 no such user" } as const;
    server.always(refusal, (to) => to === refusing.email);
    kit.work();
    await until(async () =>
      expect(await line()).toMatchObject({ sent: 1, waiting: 0, failed: 1, isGoing: false }),
    );
    expect(server.messages.flatMap(({ to }) => to)).toEqual([ada.email]);
  });

  test("goes to no one once it is stopped or its course is deleted", async () => {
    const server = await kit.serve();
    await enrolled(kit.services, course);
    await send();
    const [first] = (await list()).rows;
    await stopCourseEmail(kit.services, first?.id ?? "");
    // The same words again would go to some twice.
    await expect(send()).rejects.toThrow(courseEmailMessages.wasStopped);
    await send({ text: "Other words." });
    const products = kit.services.db.write.updateTable("products").where("id", "=", course.id);
    await products.set({ deletedAt: kit.clock.now() }).execute();
    kit.work();
    await until(async () =>
      expect((await list()).rows.map(({ isGoing }) => isGoing)).toEqual([false, false]),
    );
    expect(server.messages).toEqual([]);
    await expect(stopCourseEmail(kit.services, first?.id ?? "")).rejects.toThrow("nothing to stop");
  });

  test("goes on after a stop, to those who have not got it", async () => {
    const { services } = kit;
    const server = await kit.serve();
    const people: Person[] = [];
    for (const name of ["Ada", "Grace", "Later"])
      people.push(await enrolled(services, course, name));
    await send();
    const id = (await line())?.id ?? "";
    const delay = server.always(
      { at: "rcpt", answer: 450, text: "later" },
      (to) => to !== people[0]?.email,
    );
    const worker = kit.work();
    await until(async () => expect(await line()).toMatchObject({ sent: 1, waiting: 2 }));
    await stopCourseEmail(services, id);
    kit.clock.forward(3600_000);
    await until(async () => expect(await line()).toMatchObject({ waiting: 0, canResume: true }));
    await worker.stop();
    delay.lift();
    expect(server.messages).toHaveLength(1);

    await enrolled(services, course, "After");
    await resumeCourseEmail(services, id);
    await expect(resumeCourseEmail(services, id)).rejects.toThrow(courseEmailMessages.notStopped);
    kit.work();
    await until(async () =>
      expect(await line()).toMatchObject({ recipients: 3, sent: 3, isGoing: false }),
    );
    const got = server.messages.flatMap(({ to }) => to);
    expect(got.sort()).toEqual(people.map(({ email }) => email).sort());
  });

  test("does not go on a week after it was written", async () => {
    await enrolled(kit.services, course);
    await send();
    const id = (await line())?.id ?? "";
    await stopCourseEmail(kit.services, id);
    kit.clock.forwardDays(resumableDays);
    expect(await line()).toMatchObject({ canResume: false });
    await expect(resumeCourseEmail(kit.services, id)).rejects.toThrow(
      courseEmailMessages.notStopped,
    );
    expect(await send()).toMatchObject({ reached: 1 });
  });

  test("counts students up to a bound", async () => {
    await crowd(3);
    expect(await countStudents(kit.services.db.read, course.id)).toMatchObject({
      reached: 3,
      isMore: false,
    });
  });
});
