import { describe, expect, test, vi } from "vitest";
import { deleteOldAuditEntries } from "~/features/audit-log/audit-log.server.ts";
import { auditActions, commandLine } from "~/features/audit-log/messages.ts";
import { makeAdmin } from "~/features/auth/users.server.ts";
import { setActive } from "~/features/courses/courses.server.ts";
import { removeAllEmails, resendAllEmails } from "~/features/email-log/email-log.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse } from "../../support/courses.ts";
import { patient } from "../../support/patient.ts";
import { createPerson } from "../../support/people.ts";
import { adminOfFile } from "../../support/people-of-tests.ts";
import { readable } from "../../support/responses.ts";
import { siteOfFile } from "../../support/site.ts";

const site = siteOfFile();
const coach = adminOfFile(site, "Coach");

const db = () => site.services.db.write;
const entries = () => db().selectFrom("auditEntries").selectAll().orderBy("id");
const entriesOf = (subjectId: string) => entries().where("subjectId", "=", subjectId).execute();
const see = async (query = "") =>
  readable(await (await site.ask(`/admin/audit${query}`, { as: coach })).text());

/** An entry as if it had been written then. */
const written = (more: { id: string; createdAt: Date; label?: string; actorId?: string }) => ({
  ...{ actorName: "Busy", action: "lesson.updated", subjectKind: "lesson", subjectId: more.id },
  ...{ label: "", details: "{}", ...more },
});

describe("an audit entry", () => {
  test("names who, what and when, and no student once the account is deleted", async () => {
    const { id: productId } = await createCourse(site.services, [[{}]], { title: "Quiet days" });
    const student = await createPerson(site.services, { name: "Grace Hopper" });
    const form = { productId, who: student.email };
    await site.ask("/admin/enrollments/new", { form, as: coach });
    const enrollment = db().selectFrom("enrollments").select("id");
    const { id } = await enrollment.where("userId", "=", student.id).executeTakeFirstOrThrow();
    const [entry, ...more] = await entriesOf(id);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      ...{ action: "enrollment.created", subjectKind: "enrollment", label: "Quiet days" },
      ...{ actorId: coach.id, actorName: "Coach", personId: student.id },
    });
    expect(JSON.stringify({ ...entry, personId: "" })).not.toMatch(/grace|hopper|person-/i);
    const page = await see("?kind=enrollment");
    for (const words of ["Enrolled somebody", "Grace Hopper", "Quiet days", "Coach"])
      expect(page).toContain(words);
    // The welcome email is being sent: on PostgreSQL it and the deletion would wait for each other.
    const unsent = db().selectFrom("outbox").select("id").where("userId", "=", student.id);
    await vi.waitFor(
      async () => expect(await unsent.where("finishedAt", "is", null).execute()).toEqual([]),
      patient,
    );
    await db().deleteFrom("profiles").where("id", "=", student.id).execute();
    expect(await see("?kind=enrollment")).not.toContain("Grace Hopper");
    expect((await entriesOf(id))[0]?.personId).toBeNull();
  });

  test("that cannot be written takes its change back", async () => {
    const { id } = await createCourse(site.services, [[{}]]);
    const actor = { id: newId(), name: "An unknown account" };
    const changing = setActive({ ...site.services, actor }, { id, active: false });
    await expect(changing).rejects.toThrow();
    const course = db().selectFrom("products").select("active").where("id", "=", id);
    expect(await course.executeTakeFirst()).toEqual({ active: true });
  });

  test("is not written for a press that changes nothing", async () => {
    const { id } = await createCourse(site.services, [[{}]]);
    for (const intent of ["deactivate", "deactivate"])
      await site.ask("/admin", { form: { intent, id }, as: coach });
    const actions = (await entriesOf(id)).map(({ action }) => action);
    expect(actions).toEqual(["course.deactivated"]);
  });

  test("names the command line", async () => {
    const { id, email } = await createPerson(site.services);
    const doing = { ...site.services, actor: { id: null, name: commandLine } };
    await makeAdmin(doing, email);
    await makeAdmin(doing, email);
    const command = { actorId: null, actorName: commandLine, subjectId: null };
    expect(await entries().where("personId", "=", id).execute()).toMatchObject([
      { action: "account.made-admin", ...command },
    ]);
    expect(await see("?by=command")).toContain("Made somebody an administrator");
  });

  test("counts emails that are sent again or removed", async () => {
    const services = { ...site.services, actor: { id: coach.id, name: coach.name } };
    const now = services.clock.now();
    const row = { kind: "test.unknown", payload: "{}", dueAt: now, createdAt: now, attempts: 1 };
    const failed = { ...row, failedAt: now, failure: "refused" as const };
    await db()
      .insertInto("outbox")
      .values([newId(), newId()].map((id) => ({ id, ...failed })))
      .execute();
    expect(await resendAllEmails(services, "refused")).toBe(2);
    await db().updateTable("outbox").set({ failedAt: now }).execute();
    expect(await removeAllEmails(services)).toBeGreaterThan(1);
    const page = await see("?kind=mail");
    expect(page).toContain("Sent email again");
    expect(page).toContain("2 at once");
  });

  test("is deleted after two years", async () => {
    const at = (days: number) => new Date(site.clock.now().getTime() - days * 24 * 3600_000);
    const [old, young] = [newId(), newId()];
    const values = [
      written({ id: old, createdAt: at(731) }),
      written({ id: young, createdAt: at(729) }),
    ];
    await db().insertInto("auditEntries").values(values).execute();
    await deleteOldAuditEntries.run(site.services);
    expect(await entriesOf(old)).toEqual([]);
    expect(await entriesOf(young)).toHaveLength(1);
  });

  test("has words for every action", () => {
    for (const words of Object.values(auditActions)) expect(words).toMatch(/^[A-Z]/);
  });
});

test("GET /admin/audit: by pages, filtered by who did it; exported whole", async () => {
  const [busy, calm] = [
    await createPerson(site.services, { role: "admin", name: "Busy" }),
    await createPerson(site.services, { role: "admin", name: "Calm" }),
  ];
  const createdAt = site.clock.now();
  const values = Array.from({ length: 60 }, (_, n) =>
    written({ id: newId(), actorId: busy.id, label: `Lesson number ${n}.`, createdAt }),
  );
  await db().insertInto("auditEntries").values(values).execute();
  const first = await see(`?by=${busy.id}`);
  expect(first).toContain("Lesson number 59.");
  expect(first).not.toContain("Lesson number 9.");
  const at = /[?&]at=([\w-]+)"[^>]*>Next/.exec(first)?.[1] ?? "";
  const second = await see(`?by=${busy.id}&at=${at}`);
  expect(second).toContain("Lesson number 9.");
  expect(second).not.toContain("Lesson number 59.");
  expect(await see(`?by=${calm.id}`)).toContain("Nothing found");
  const file = await (await site.ask(`/admin/export/audit?by=${busy.id}`, { as: coach })).text();
  expect(file.split("\r\n").filter((line) => line.includes("Busy"))).toHaveLength(60);
});
