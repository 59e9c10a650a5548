import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { deleteOldAuditEntries } from "~/features/audit-log/audit-log.server.ts";
import { auditActions, commandLine } from "~/features/audit-log/messages.ts";
import { makeAdmin } from "~/features/auth/users.server.ts";
import { removeAll, resendAllEmails } from "~/features/email-log/email-log.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { readable } from "../../support/answers.ts";
import { createCourse } from "../../support/courses.ts";
import { patient } from "../../support/patient.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { startSite, type TestSite } from "../../support/site.ts";

let site: TestSite;
let coach: Person;

beforeAll(async () => {
  site = await startSite();
  coach = await createPerson(site.services, { role: "admin", name: "Coach" });
});
afterAll(() => site.close());

const entriesOf = (subjectId: string) =>
  site.services.db.read
    .selectFrom("auditEntries")
    .selectAll()
    .where("subjectId", "=", subjectId)
    .orderBy("id")
    .execute();
const see = async (query = "") =>
  readable(await (await site.ask(`/admin/audit${query}`, { as: coach })).text());

describe("what was done", () => {
  test("names who, what and when, and no student", async () => {
    const { id: productId } = await createCourse(site.services, [[{}]], { title: "Quiet days" });
    const student = await createPerson(site.services, { name: "Grace Hopper" });
    const enrolling = { form: { productId, who: student.email }, as: coach };
    await site.ask("/admin/enrollments/new", enrolling);
    const { id } = await site.services.db.read
      .selectFrom("enrollments")
      .select("id")
      .where("userId", "=", student.id)
      .executeTakeFirstOrThrow();
    const [entry, ...more] = await entriesOf(id);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      action: "enrollment.created",
      subjectKind: "enrollment",
      actorId: coach.id,
      actorName: "Coach",
      label: "Quiet days",
      personId: student.id,
    });
    expect(JSON.stringify({ ...entry, personId: "" })).not.toMatch(/grace|hopper|person-/i);
    const page = await see("?kind=enrollment");
    for (const words of ["Enrolled somebody", "Grace Hopper", "Quiet days", "Coach"])
      expect(page).toContain(words);
    // Her welcome is being written: on PostgreSQL it and the deletion would wait for each other.
    await vi.waitFor(
      async () =>
        expect(
          await site.services.db.read
            .selectFrom("outbox")
            .select("id")
            .where("userId", "=", student.id)
            .where("finishedAt", "is", null)
            .execute(),
        ).toEqual([]),
      patient,
    );
    await site.services.db.write.deleteFrom("profiles").where("id", "=", student.id).execute();
    expect(await see("?kind=enrollment")).not.toContain("Grace Hopper");
    expect((await entriesOf(id))[0]?.personId).toBeNull();
  });

  test("is not done where its entry cannot be written", async () => {
    const course = await createCourse(site.services, [[{}]]);
    const actor = { id: newId(), name: "Nobody that there is" };
    const doing = { ...site.services, actor };
    const { setActive } = await import("~/features/courses/courses.server.ts");
    await expect(setActive(doing, { id: course.id, active: false })).rejects.toThrow();
    const row = await site.services.db.read
      .selectFrom("products")
      .select("active")
      .where("id", "=", course.id)
      .executeTakeFirst();
    expect(row?.active).toBe(true);
  });

  test("a press that changes nothing is no deed", async () => {
    const course = await createCourse(site.services, [[{}]]);
    for (const intent of ["deactivate", "deactivate"])
      await site.ask("/admin", { form: { intent, id: course.id }, as: coach });
    const actions = (await entriesOf(course.id)).map(({ action }) => action);
    expect(actions).toEqual(["course.deactivated"]);
  });

  test("the command line stands there as such", async () => {
    const { id, email } = await createPerson(site.services);
    const doing = { ...site.services, actor: { id: null, name: commandLine } };
    await makeAdmin(doing, email);
    await makeAdmin(doing, email);
    const entries = await site.services.db.read
      .selectFrom("auditEntries")
      .selectAll()
      .where("personId", "=", id)
      .execute();
    expect(entries).toMatchObject([
      { action: "account.made-admin", actorId: null, actorName: commandLine, subjectId: null },
    ]);
    expect(await see("?by=command")).toContain("Made somebody an administrator");
  });

  test("mail that is sent again or removed is counted", async () => {
    const { services } = site;
    const actor = { id: coach.id, name: coach.name };
    const now = services.clock.now();
    for (const id of [newId(), newId()])
      await services.db.write
        .insertInto("outbox")
        .values({
          id,
          kind: "test.unknown",
          payload: "{}",
          dueAt: now,
          createdAt: now,
          attempts: 1,
          failedAt: now,
          failure: "refused",
        })
        .execute();
    expect(await resendAllEmails({ ...services, actor }, "refused")).toBe(2);
    await services.db.write.updateTable("outbox").set({ failedAt: now }).execute();
    expect(await removeAll({ ...services, actor })).toBeGreaterThan(1);
    const page = await see("?kind=mail");
    expect(page).toContain("Sent email again");
    expect(page).toContain("2 at once");
  });

  test("is shown by pages, and filtered by who did it", async () => {
    const [busy, calm] = [
      await createPerson(site.services, { role: "admin", name: "Busy" }),
      await createPerson(site.services, { role: "admin", name: "Calm" }),
    ];
    const createdAt = site.clock.now();
    const values = Array.from({ length: 60 }, (_, n) => ({
      id: newId(),
      actorId: busy.id,
      actorName: "Busy",
      action: "lesson.updated",
      subjectKind: "lesson",
      label: `Lesson number ${n}.`,
      details: "{}",
      createdAt,
    }));
    await site.services.db.write.insertInto("auditEntries").values(values).execute();
    const first = await see(`?by=${busy.id}`);
    expect(first).toContain("Lesson number 59.");
    expect(first).not.toContain("Lesson number 9.");
    const at = /[?&]at=([\w-]+)"[^>]*>Next/.exec(first.replaceAll("&amp;", "&"))?.[1] ?? "";
    const second = await see(`?by=${busy.id}&at=${at}`);
    expect(second).toContain("Lesson number 9.");
    expect(second).not.toContain("Lesson number 59.");
    expect(await see(`?by=${calm.id}`)).toContain("Nothing found");
    const file = await site.ask(`/admin/export/audit?by=${busy.id}`, { as: coach });
    expect((await file.text()).split("\r\n").filter((line) => line.includes("Busy"))).toHaveLength(
      60,
    );
  });

  test("is forgotten after two years", async () => {
    const at = (days: number) => new Date(site.clock.now().getTime() - days * 24 * 3600_000);
    const ids = { old: newId(), young: newId() };
    for (const [id, createdAt] of [
      [ids.old, at(731)],
      [ids.young, at(729)],
    ] as const)
      await site.services.db.write
        .insertInto("auditEntries")
        .values({
          id,
          actorName: "Coach",
          action: "course.updated",
          subjectKind: "course",
          subjectId: id,
          label: "",
          details: "{}",
          createdAt,
        })
        .execute();
    await deleteOldAuditEntries.run(site.services);
    expect(await entriesOf(ids.old)).toEqual([]);
    expect(await entriesOf(ids.young)).toHaveLength(1);
  });

  test("every deed has its words", () => {
    for (const words of Object.values(auditActions)) expect(words).toMatch(/^[A-Z]/);
  });
});
