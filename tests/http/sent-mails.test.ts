import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { verifyEmailEmail } from "~/features/auth/jobs.server.ts";
import { recordSent } from "~/platform/email/sent.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { startWorker, type Worker } from "~/platform/jobs/worker.ts";
import { jobs } from "~/server/jobs.ts";
import { newAddress } from "../support/accounts.ts";
import { createPerson } from "../support/people.ts";
import { freePort } from "../support/port.ts";
import { openTestServices } from "../support/services.ts";
import { type MailServer, startMailServer } from "../support/smtp.ts";

let kit: Awaited<ReturnType<typeof openTestServices>>;
let server: MailServer;
const workers: Worker[] = [];

beforeEach(async () => {
  const port = await freePort();
  kit = await openTestServices({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: "Blue Dot <hello@grief.example>",
  });
  server = await startMailServer(port);
});
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
  await kit.close();
  await server.close();
});

function work(list = jobs): Worker {
  const worker = startWorker(kit.services, list);
  workers.push(worker);
  return worker;
}

function write(address: string): Promise<string> {
  const letter = {
    to: { name: "Ada", address },
    link: "http://localhost/auth/verify?token=secret-token",
  };
  return enqueue(kit.services.db.write, verifyEmailEmail, letter, { now: kit.clock.now() });
}

const onRecord = () =>
  kit.services.db.read.selectFrom("sentEmails").selectAll().orderBy("id").execute();
const row = (id: string) =>
  kit.services.db.read
    .selectFrom("outbox")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 20 });
const finished = (id: string) =>
  until(async () => expect((await row(id)).finishedAt).not.toBeNull());

test("a letter to somebody with an account is on record: that it went, no address, no link", async () => {
  const { id: userId, email } = await createPerson(kit.services);
  const id = await write(email.toUpperCase());
  const stranger = await write(newAddress());
  work();
  await finished(id);
  await finished(stranger);
  expect(await onRecord()).toEqual([
    {
      id,
      userId,
      kind: "accounts.verify-email",
      subject: "Please confirm your email address",
      createdAt: expect.any(Date),
    },
  ]);
});

test("one that the server puts off is recorded once, when it goes", async () => {
  const { email } = await createPerson(kit.services);
  server.refuseNext(451, "come back later");
  const id = await write(email);
  const worker = work();
  await until(async () => expect(await row(id)).toMatchObject({ attempts: 1, leaseOwner: null }));
  expect(await onRecord()).toEqual([]);
  kit.clock.forward(11_000);
  worker.wake();
  await finished(id);
  expect(server.letters).toHaveLength(1);
  expect(await onRecord()).toMatchObject([{ id }]);
});

test("one that the server refuses for good is not on record", async () => {
  const { email } = await createPerson(kit.services);
  server.refuseNext(550, "no such person");
  const id = await write(email);
  work();
  await until(async () => expect((await row(id)).failedAt).not.toBeNull());
  expect(await onRecord()).toEqual([]);
});

test("one that had to go again, because nobody knew that it went, is recorded once", async () => {
  const { email } = await createPerson(kit.services);
  let runs = 0;
  const job = defineJob({
    kind: "twice",
    payload: z.object({}),
    async run({ mail, db, clock }, _, { id }) {
      runs += 1;
      await mail.send({ id, to: { name: "", address: email }, subject: "S", html: "", text: "" });
      // Another worker took it meanwhile, as after the end of a lease.
      if (runs === 1) {
        const taken = { leaseOwner: "another", leasedUntilAt: clock.now() };
        await db.write.updateTable("outbox").set(taken).where("id", "=", id).execute();
      }
    },
  });
  const id = await enqueue(kit.services.db.write, job, {}, { now: kit.clock.now() });
  const worker = work([job]);
  await until(async () => expect(await onRecord()).toHaveLength(1));
  // What another held, and has not ended, has had its attempt.
  await until(async () => expect(await row(id)).toMatchObject({ attempts: 1, leaseOwner: null }));
  kit.clock.forward(11_000);
  worker.wake();
  await finished(id);
  expect(runs).toBe(2);
  expect(await onRecord()).toMatchObject([{ id, subject: "S" }]);
});

test("one that cannot be recorded does not go again for that", async () => {
  const { services } = kit;
  const { email } = await createPerson(services);
  const move = (from: string, to: string) =>
    services.db.write.schema.alterTable(from).renameTo(to).execute();
  await move("sent_emails", "sent_emails_away");
  const error = vi.spyOn(services.log, "error");
  const id = await write(email);
  const worker = work();
  await finished(id);
  await worker.stop();
  await move("sent_emails_away", "sent_emails");
  expect(server.letters).toHaveLength(1);
  expect(await row(id)).toMatchObject({ attempts: 1, failedAt: null });
  expect(error.mock.calls).toMatchObject([[{ row: id }, expect.stringContaining("not on record")]]);
  expect(await onRecord()).toEqual([]);
});

test("letters of the newsletter are the newsletter's, also to somebody with an account", async () => {
  const { email } = await createPerson(kit.services);
  const unrecorded = defineJob({
    kind: "unrecorded",
    payload: z.object({}),
    recorded: false,
    run: ({ mail }, _, { id }) =>
      mail.send({ id, to: { name: "", address: email }, subject: "S", html: "", text: "" }),
  });
  const id = await enqueue(kit.services.db.write, unrecorded, {}, { now: kit.clock.now() });
  work([unrecorded]);
  await finished(id);
  expect(server.letters).toHaveLength(1);
  expect(await onRecord()).toEqual([]);
  const letters = jobs.filter(({ kind }) => kind.startsWith("newsletter."));
  expect(letters.map(({ kind, recorded }) => [kind, recorded])).toEqual([
    ["newsletter.signup", undefined],
    ["newsletter.confirm", false],
    ["newsletter.welcome", false],
    ["newsletter.reminder", false],
  ]);
});

test("the record goes with the account", async () => {
  const { services, clock } = kit;
  const { id, email } = await createPerson(services);
  const letter = { id: "one", address: email, subject: "S", at: clock.now() };
  await recordSent(services.db.write, { kind: "kind", userId: null }, [letter, letter]);
  expect(await onRecord()).toHaveLength(1);
  await services.db.write.deleteFrom("profiles").where("id", "=", id).execute();
  expect(await onRecord()).toEqual([]);
  await recordSent(services.db.write, { kind: "kind", userId: null }, [letter]);
  expect(await onRecord()).toEqual([]);
});
