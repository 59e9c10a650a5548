import { sql } from "kysely";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { deleteAccounts, scheduleDeletion } from "~/features/accounts/deletion.server.ts";
import { makeAdmin } from "~/features/auth/users.server.ts";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { inviteStudent } from "~/features/enrollments/invitations.server.ts";
import { removeEnrollment } from "~/features/enrollments/manual-enrollments.server.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { cellsWith, type Holder, holder } from "../../support/account.ts";
import { goodPassword, newAddress } from "../../support/accounts.ts";
import { giveApp } from "../../support/authenticator-app.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { complete, keepDraft, lessonOf, prompts } from "../../support/journal.ts";
import { emailsTo, emailTo } from "../../support/mailbox.ts";
import { confirmPath, signUp } from "../../support/newsletter.ts";
import { givePasskey, ownRows, profileOf } from "../../support/own-rows.ts";
import { patient } from "../../support/patient.ts";
import { recordPayment } from "../../support/payments.ts";
import { siteOfFile } from "../../support/site.ts";

// Passwords are asked for many times, and hashing fills a core.
vi.setConfig({ testTimeout: 120_000 });

const site = siteOfFile();
let course: TestCourse;

beforeAll(async () => {
  const lesson = { prompts: prompts(1) };
  course = await createCourse(site.services, [[lesson, lesson]]);
});

/** Columns that name someone without a rule of the database, and why that is right. */
const namedOtherwise = [
  // Rows of others: 'stripe', or the administrator who did it until that account is deleted.
  "former_enrollments.removed_by",
  "invitations.invited_by",
];

/** What the database does with a row when its person goes: table.column → rule. */
async function rulesOf({ db }: Services): Promise<Record<string, string>> {
  const { rows } =
    db.engine === "postgres"
      ? await sql<{ at: string; rule: string }>`
          select c.conrelid::regclass || '.' || a.attname as at,
            case c.confdeltype when 'c' then 'CASCADE' when 'n' then 'SET NULL' else 'NO' end as rule
          from pg_constraint c
          join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
          where c.contype = 'f' and c.confrelid = 'profiles'::regclass`.execute(db.read)
      : await sql<{ at: string; rule: string }>`
          select m.name || '.' || f."from" as at, f.on_delete as rule
          from sqlite_master m, pragma_foreign_key_list(m.name) f
          where m.type = 'table' and f."table" = 'profiles'`.execute(db.read);
  return Object.fromEntries(rows.map(({ at, rule }) => [at, rule]));
}

/** Writes down something in everything that a person can leave behind. */
async function livedIn(): Promise<Holder> {
  const ada = await holder(site);
  const { services } = site;
  const { db, clock } = services;
  const now = clock.now();
  const own = { id: newId(), userId: ada.id, createdAt: now };
  const lesson = lessonOf(course, 0, 0);
  await signUp(site, { email: ada.email });
  await site.ask(confirmPath(await emailTo(services.config, ada.email)), { form: {} });
  await enroll(services, { userId: ada.id, productId: course.id });
  await recordPayment(services, { userId: ada.id, productId: course.id });
  await complete(site, ada, course, lesson, { answers: ["I miss her."] });
  const draft = { draftId: newId(), lessonId: lessonOf(course, 0, 1).id, answers: ["and him"] };
  await keepDraft(site, ada, course, draft);
  await site.ask("/mail-preferences", { as: ada, form: { "kind-shown": "module-completed" } });
  await ada.ask("/account/email", { form: { email: newAddress(), password: goodPassword } });
  await db.write
    .insertInto("formerEnrollments")
    .values({ ...own, productId: course.id, removedAt: now, removedBy: "stripe" })
    .execute();
  await db.write
    .insertInto("playbackPositions")
    .values({
      userId: ada.id,
      lessonId: lesson.id,
      kind: "audio",
      key: "k",
      positionMs: 1,
      updatedAt: now,
    })
    .execute();
  await db.write
    .insertInto("drafts")
    .values({
      ...{ ...own, kind: "lesson", lessonId: newId(), content: "{}" },
      ...{ baseRevision: 0, revision: 1, updatedAt: now },
    })
    .execute();
  await db.write
    .insertInto("uploads")
    .values({ ...own, bucket: "b", key: newId(), fileName: "f", size: 1, lessonId: newId() })
    .execute();
  await giveApp(services, ada);
  await givePasskey(services, ada.id);
  await db.write
    .insertInto("invitations")
    .values({
      id: newId(),
      email: ada.email,
      productId: course.id,
      tokenHash: newId(),
      invitedBy: ada.id,
      createdAt: now,
      expiresAt: now,
      acceptedAt: now,
    })
    .execute();
  await site.ask("/auth/forgot", { form: { email: ada.email } });
  return ada;
}

const gone = async (id: string) => (await profileOf(site.services, id)) === undefined;

describe("a deleted account", () => {
  test("takes along the rows of every table that names a person, but for payments and the audit log", async () => {
    const rules = await rulesOf(site.services);
    expect(Object.keys(rules).length).toBeGreaterThan(15);
    const staying = Object.entries(rules).filter(([, rule]) => rule !== "CASCADE");
    // The bookkeeping, what administrators did and wrote for pages, and rows that go when their bytes are deleted.
    expect(staying.sort()).toEqual([
      ["audit_entries.actor_id", "SET NULL"],
      ["audit_entries.person_id", "SET NULL"],
      ["journal_pictures.user_id", "SET NULL"],
      ["page_drafts.user_id", "SET NULL"],
      ["payments.user_id", "SET NULL"],
      ["releases.author_id", "SET NULL"],
      ["versions.author_id", "SET NULL"],
    ]);
    const tables = await site.services.db.read.introspection.getTables();
    const naming = tables.flatMap(({ name, columns }) =>
      columns
        .map((column) => `${name}.${column.name}`)
        .filter((at) => /\.(user_id|\w+_by)$/.test(at) && !at.includes("people_")),
    );
    const known = [...Object.keys(rules), ...namedOtherwise];
    expect(naming.filter((at) => !known.includes(at))).toEqual([]);
  });

  test("leaves nothing that names the person, not even the last email", async () => {
    const ada = await livedIn();
    const { services } = site;
    expect((await cellsWith(services, ada.id)).length).toBeGreaterThan(15);
    await scheduleDeletion(services, ada.id);
    site.clock.forwardDays(7);
    await deleteAccounts.run(services);
    expect(await gone(ada.id)).toBe(true);
    await vi.waitFor(
      () =>
        expect(emailsTo(services.config, ada.email).at(-1)?.subject).toBe(
          "Your account is deleted",
        ),
      patient,
    );
    // The invitation to their own address goes with it.
    await vi.waitFor(async () => expect(await cellsWith(services, ada.id)).toEqual([]), patient);
    await vi.waitFor(
      async () =>
        expect(await cellsWith(services, ada.email)).toEqual([
          "subscribers.email",
          "subscribers.emailKey",
        ]),
      patient,
    );
    const payments = await services.db.read
      .selectFrom("payments")
      .select(["userId", "amountCents", "paidAt", "paymentIntentId"])
      .where("productId", "=", course.id)
      .execute();
    expect(payments).toEqual([
      {
        userId: null,
        amountCents: 19700,
        paidAt: expect.any(Date),
        paymentIntentId: expect.stringMatching(/^pi_/),
      },
    ]);
    await deleteAccounts.run(services);
    expect(
      emailsTo(services.config, ada.email).filter(
        ({ subject }) => subject === "Your account is deleted",
      ),
    ).toHaveLength(1);
  });

  test("leaves no id in what admins did, to it or as one", async () => {
    const { services } = site;
    const [ada, grace] = [await holder(site), await holder(site)];
    const coach = await holder(site, { role: "admin" });
    const press = (intent: string) =>
      coach.ask(`/admin/students/${ada.id}`, { form: { intent, reason: "" } });
    await press("suspend");
    await press("let-in");
    const actor = { id: coach.id, name: "Coach" };
    await makeAdmin({ ...services, actor }, ada.email);
    await enroll(services, { userId: grace.id, productId: course.id });
    const { id } = await services.db.read
      .selectFrom("enrollments")
      .select("id")
      .where("userId", "=", grace.id)
      .executeTakeFirstOrThrow();
    await removeEnrollment(services, { id, removedBy: ada.id });
    const invitee = { email: newAddress(), name: null, productId: course.id };
    await inviteStudent(services, { ...invitee, invitedBy: ada.id });
    expect(await cellsWith(services, ada.id)).toEqual(
      expect.arrayContaining(["audit_entries.personId", "invitations.invitedBy"]),
    );
    await scheduleDeletion(services, ada.id);
    site.clock.forwardDays(7);
    await deleteAccounts.run(services);
    expect(await gone(ada.id)).toBe(true);
    expect(await cellsWith(services, ada.id)).toEqual([]);
    const actions = await services.db.read
      .selectFrom("auditEntries")
      .select("action")
      .where("actorId", "=", coach.id)
      .orderBy("id")
      .execute();
    expect(actions.map(({ action }) => action)).toEqual([
      "account.suspended",
      "account.let-in",
      "account.made-admin",
    ]);
  });

  test("is deleted also when another one cannot be", async () => {
    const { services } = site;
    const [stuck, ada] = [await holder(site), await holder(site)];
    await scheduleDeletion(services, stuck.id);
    site.clock.forward(1000);
    await scheduleDeletion(services, ada.id);
    site.clock.forwardDays(8);
    await sql`create table held (person text references profiles (id))`.execute(services.db.write);
    try {
      await sql`insert into held values (${stuck.id})`.execute(services.db.write);
      await expect(deleteAccounts.run(services)).rejects.toThrow("accounts were not deleted");
      expect([await gone(stuck.id), await gone(ada.id)]).toEqual([false, true]);
    } finally {
      await sql`drop table held`.execute(services.db.write);
    }
    await deleteAccounts.run(services);
    expect(await gone(stuck.id)).toBe(true);
  });

  test("changes no other account", async () => {
    const [ada, grace] = [await holder(site), await holder(site)];
    await enroll(site.services, { userId: grace.id, productId: course.id });
    await scheduleDeletion(site.services, ada.id);
    site.clock.forwardDays(8);
    await deleteAccounts.run(site.services);
    expect([await gone(ada.id), await gone(grace.id)]).toEqual([true, false]);
    const rows = await ownRows(site.services, "enrollments", grace.id);
    expect(rows).toHaveLength(1);
  });
});
