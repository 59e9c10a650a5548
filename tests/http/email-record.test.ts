import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { recordSent } from "~/platform/email/sent.ts";
import { finish } from "~/platform/jobs/claim.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { jobs } from "~/server/jobs.ts";
import { outboxOfEachTest, until } from "../support/outbox.ts";
import { createPerson } from "../support/people.ts";

const kit = outboxOfEachTest();

const recorded = () =>
  kit.services.db.read.selectFrom("sentEmails").selectAll().orderBy("id").execute();
const to = (address: string) => ({ to: { name: "", address }, subject: "S", html: "", text: "" });

test("sentEmails: an email to an account is recorded without its address and link", async () => {
  await kit.serve();
  const { id: userId, email } = await createPerson(kit.services);
  const id = await kit.write({ to: email.toUpperCase() });
  const stranger = await kit.write();
  kit.work();
  await kit.finished(id, stranger);
  const kind = "accounts.verify-email";
  const subject = "Please confirm your email address";
  expect(await recorded()).toEqual([{ id, userId, kind, subject, createdAt: expect.any(Date) }]);
});

test("sentEmails: a delayed email is recorded when it is sent, a refused one never", async () => {
  const server = await kit.serve();
  const { email } = await createPerson(kit.services);
  server.next({ at: "after data", answer: 451 });
  const id = await kit.write({ to: email });
  const worker = kit.work();
  await kit.rowIs(id, { attempts: 1, leaseOwner: null });
  expect(await recorded()).toEqual([]);
  kit.clock.forward(11_000);
  worker.wake();
  await kit.finished(id);
  server.next({ at: "after data", answer: 550, text: "no such person" });
  const refused = await kit.write({ to: email });
  worker.wake();
  await kit.rowIs(refused, { failedAt: expect.any(Date) });
  expect(server.messages).toHaveLength(1);
  expect(await recorded()).toMatchObject([{ id }]);
});

test("sentEmails: an email that was sent twice, as its lease had ended, is recorded once", async () => {
  await kit.serve();
  const { email } = await createPerson(kit.services);
  let runs = 0;
  const job = defineJob({
    ...{ kind: "twice", payload: z.object({}) },
    async run({ mail, db, clock }, _, { id }) {
      runs += 1;
      await mail.send({ id, ...to(email) });
      if (runs > 1) return;
      const taken = { leaseOwner: "another", leasedUntilAt: clock.now() };
      await db.write.updateTable("outbox").set(taken).where("id", "=", id).execute();
    },
  });
  const id = await kit.put(job, {});
  const worker = kit.work([job]);
  await until(async () => expect(await recorded()).toHaveLength(1));
  // The other worker's lease has ended: that counts as an attempt.
  await kit.rowIs(id, { attempts: 1, leaseOwner: null });
  kit.clock.forward(11_000);
  worker.wake();
  await kit.finished(id);
  expect(runs).toBe(2);
  expect(await recorded()).toMatchObject([{ id, subject: "S" }]);
});

test("sentEmails: an email that cannot be recorded is not sent again", async () => {
  const { services } = kit;
  const server = await kit.serve();
  const { email } = await createPerson(services);
  const move = (from: string, to: string) =>
    services.db.write.schema.alterTable(from).renameTo(to).execute();
  await move("sent_emails", "sent_emails_away");
  const error = vi.spyOn(services.log, "error");
  const id = await kit.write({ to: email });
  const worker = kit.work();
  await kit.finished(id);
  await worker.stop();
  await move("sent_emails_away", "sent_emails");
  expect(server.messages).toHaveLength(1);
  expect(await kit.row(id)).toMatchObject({ attempts: 1, failedAt: null });
  expect(error.mock.calls).toMatchObject([[{ row: id }, expect.stringContaining("not on record")]]);
  expect(await recorded()).toEqual([]);
});

test("sentEmails: emails of the newsletter are not recorded, also to an account", async () => {
  const server = await kit.serve();
  const { email } = await createPerson(kit.services);
  const job = defineJob({
    ...{ kind: "unrecorded", payload: z.object({}), recorded: false },
    run: ({ mail }, _, { id }) => mail.send({ id, ...to(email) }),
  });
  const id = await kit.put(job, {});
  kit.work([job]);
  await kit.finished(id);
  expect(server.messages).toHaveLength(1);
  expect(await recorded()).toEqual([]);
  const newsletter = jobs.filter(({ kind }) => kind.startsWith("newsletter."));
  expect(newsletter.map(({ kind, recorded }) => [kind, recorded])).toEqual([
    ["newsletter.signup", undefined],
    ["newsletter.confirm", false],
    ["newsletter.confirm-imported", false],
    ["newsletter.welcome", false],
    ["newsletter.reminder", false],
    ["newsletter.send", false],
    ["newsletter.issue", false],
    ["newsletter.digest", false],
    ["newsletter.digest-portions", undefined],
  ]);
});

test("sentEmails: the record is deleted with the account", async () => {
  const { services, clock } = kit;
  const { id, email } = await createPerson(services);
  const message = { id: "one", address: email, subject: "S", at: clock.now() };
  const record = () =>
    recordSent(services.db.write, { kind: "kind", userId: null }, [message, message]);
  await record();
  expect(await recorded()).toHaveLength(1);
  await services.db.write.deleteFrom("profiles").where("id", "=", id).execute();
  expect(await recorded()).toEqual([]);
  await record();
  expect(await recorded()).toEqual([]);
});

test.runIf(process.env.TEST_DATABASE_URL)(
  "sentEmails: an account that is deleted while its email is recorded holds nobody up",
  async () => {
    const { db, clock } = kit.services;
    const { id: userId, email } = await createPerson(kit.services);
    const id = await enqueue(db.write, { kind: "any" }, {}, { now: clock.now(), to: { userId } });
    const row = await db.write
      .updateTable("outbox")
      .set({ leaseOwner: "this one", leasedUntilAt: clock.now() })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const emails = [{ id, address: email, subject: "S", at: clock.now() }];
    const recording = { now: clock.now(), emails, onRecord: true, forgetsWhom: false };
    const waiting = sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    const [, end] = await db.transaction(async (trx) => {
      const own = trx.selectFrom("profiles").select("id").where("id", "=", userId);
      await own.forUpdate().execute();
      const finishing = finish(db, row, recording).catch((error: unknown) => error);
      await until(async () => expect((await waiting.execute(db.read)).rows).toHaveLength(1));
      return [await trx.deleteFrom("profiles").where("id", "=", userId).execute(), finishing];
    });
    // It is tried again, and then there is nobody to record it for.
    expect(await end).toMatchObject({ code: "23503" });
    await finish(db, row, recording);
    expect(await recorded()).toEqual([]);
  },
);
