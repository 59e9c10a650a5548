import { expect, test } from "vitest";
import { deleteUnverifiedUsers } from "~/features/auth/email-verification.server.ts";
import { linkAccount } from "~/features/auth/linked-accounts.server.ts";
import { deleteOldEmails } from "~/features/email-log/email-log.server.ts";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse } from "../../support/courses.ts";
import { changeOwn, ownRows } from "../../support/own-rows.ts";
import { recordPayment } from "../../support/payments.ts";
import { cookieOf, createPerson, type Person } from "../../support/people.ts";
import { siteOfFile } from "../../support/site.ts";

const dayMs = 24 * 3600_000;
const site = siteOfFile();

test("sessions: an account has 100 at most, and the one unused for longest ends", async () => {
  const { services } = site;
  const { id } = await createPerson(services);
  const cookies: string[] = [];
  for (let n = 0; n < 101; n += 1) {
    cookies.push(await cookieOf(services, id));
    const used = { createdAt: new Date(Date.now() - dayMs + n), lastUsedAt: null };
    const newest = services.db.write.updateTable("sessions").set(used).where("userId", "=", id);
    await newest.where("createdAt", ">", new Date(Date.now() - dayMs / 2)).execute();
  }
  expect(await ownRows(services, "sessions", id)).toHaveLength(100);
  const isIn = async (cookie = "") => {
    const answer = await site.ask("/my-courses", { headers: { cookie } });
    return answer.status === 200;
  };
  const ends = [await isIn(cookies[0]), await isIn(cookies[1]), await isIn(cookies.at(-1))];
  expect(ends).toEqual([false, true, true]);
});

test("sessions: a sign-in by password alone ends none with two-factor", async () => {
  const { db } = site.services;
  const { id } = await createPerson(site.services);
  await cookieOf(site.services, id);
  const longAgo = new Date(Date.now() - dayMs);
  const passed = { secondFactorAt: longAgo, lastUsedAt: longAgo };
  await changeOwn({ db }, "sessions", id, passed);
  for (let n = 0; n < 100; n += 1) await cookieOf(site.services, id);
  const rows = await ownRows({ db }, "sessions", id);
  const levels = rows.map(({ secondFactorAt }) => secondFactorAt !== null);
  expect(levels).toHaveLength(100);
  expect(levels.filter(Boolean)).toEqual([true]);
});

type Set = { emailVerified?: boolean; role?: "admin"; suspendedAt?: Date };
/** Someone who signed up so many days ago and has not confirmed the address. */
async function madeBefore(days: number, set: Set = {}): Promise<Person> {
  const { services } = site;
  const person = await createPerson(services);
  const createdAt = new Date(services.clock.now().getTime() - days * dayMs);
  await changeOwn(services, "profiles", person.id, { emailVerified: false, createdAt, ...set });
  return person;
}
/** An email went to someone so many days ago. */
async function sentBefore(days: number, userId: string): Promise<void> {
  const { db, clock } = site.services;
  const createdAt = new Date(clock.now().getTime() - days * dayMs);
  const message = { id: newId(), userId, kind: "k", subject: `${days}`, createdAt };
  await db.write.insertInto("sentEmails").values(message).execute();
}
async function whoIsLeft(): Promise<string[]> {
  await deleteUnverifiedUsers.run(site.services);
  const rows = await site.services.db.read.selectFrom("profiles").select("id").execute();
  return rows.map(({ id }) => id);
}

test("deleteUnverifiedUsers: after 30 days, but none with an enrollment or a payment", async () => {
  const { services } = site;
  const course = await createCourse(services, [[{}]]);
  const old = await madeBefore(31);
  const young = await madeBefore(29);
  const confirmed = await madeBefore(31, { emailVerified: true });
  const admin = await madeBefore(31, { role: "admin" });
  const suspended = await madeBefore(31, { suspendedAt: new Date() });
  const enrolled = await madeBefore(31);
  const paid = await madeBefore(31);
  await enroll(services, { userId: enrolled.id, productId: course.id });
  await recordPayment(services, { userId: paid.id, productId: course.id });
  const [asked, askedBefore] = [await madeBefore(31), await madeBefore(31)];
  for (const [{ id: userId }, days] of [[asked, 1] as const, [askedBefore, 3] as const])
    await sentBefore(days, userId);
  const left = await whoIsLeft();
  for (const { id } of [old, askedBefore]) expect(left).not.toContain(id);
  for (const { id } of [young, confirmed, admin, suspended, enrolled, paid, asked])
    expect(left).toContain(id);
});

// SQLite has one writer: nothing happens meanwhile.
test.runIf(process.env.TEST_DATABASE_URL)(
  "deleteUnverifiedUsers: one that is confirmed or enrolled at that moment stays",
  async () => {
    const { db, clock } = site.services;
    const course = await createCourse(site.services, [[{}]]);
    const confirming = await madeBefore(31);
    const enrolling = await madeBefore(31);
    const old = await madeBefore(31);
    const left = await db.transaction(async (trx) => {
      const confirmed = trx.updateTable("profiles").set({ emailVerified: true });
      await confirmed.where("id", "=", confirming.id).execute();
      await trx
        .insertInto("enrollments")
        .values({
          ...{ id: newId(), userId: enrolling.id, productId: course.id },
          createdAt: clock.now(),
        })
        .execute();
      return whoIsLeft();
    });
    expect(left).not.toContain(old.id);
    for (const { id } of [confirming, enrolling]) expect(left).toContain(id);
  },
);

test("deleteOldEmails: after two years", async () => {
  const { services } = site;
  const { id: userId } = await createPerson(services);
  for (const days of [731, 729]) await sentBefore(days, userId);
  await deleteOldEmails.run(services);
  expect(await ownRows(services, "sentEmails", userId)).toMatchObject([{ subject: "729" }]);
});

test("linkAccount: ten sign-in methods at most, also of two at the same moment", async () => {
  const { services } = site;
  const { id } = await createPerson(services);
  const link = (subject: string) => {
    const provider = { id: "lantern", name: "Lantern" };
    const identity = { provider, subject, name: "Ada", email: null, emailVerified: false };
    return linkAccount(services, identity as never, id);
  };
  for (let n = 0; n < 9; n += 1) expect(await link(`${id} ${n}`)).toBeNull();
  const both = await Promise.all([link(`${id} a`), link(`${id} b`)]);
  expect(both.toSorted()).toEqual(["enough", null]);
  expect(await link(`${id} 0`)).toBeNull();
  expect(await ownRows(services, "accounts", id)).toHaveLength(10);
});
