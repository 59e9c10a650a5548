import { afterEach, beforeEach, expect, vi } from "vitest";
import { z } from "zod";
import { verifyEmailEmail } from "~/features/auth/jobs.server.ts";
import { readOutage } from "~/platform/email/outage.ts";
import type { Services } from "~/platform/http/services.ts";
import { defineJob, type Job } from "~/platform/jobs/job.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import {
  defaultWorkerPace,
  startWorker,
  type Worker,
  type WorkerPace,
} from "~/platform/jobs/worker.ts";
import { jobs } from "~/server/jobs.ts";
import { newAddress } from "./accounts.ts";
import { patient } from "./patient.ts";
import { freePort } from "./port.ts";
import { openTestServices } from "./services.ts";
import { type MailServer, startMailServer } from "./smtp.ts";

type Writing = { to?: string; dueAt?: Date; worksUntil?: Date };

/** Writes an email with a link that signs in. */
export function writeEmail(services: Services, { to = newAddress(), ...rest }: Writing = {}) {
  const link = "http://localhost/auth/verify?token=secret-token";
  const message = { to: { name: "Ada", address: to }, link };
  const writing = { now: services.clock.now(), to: { address: to }, ...rest };
  return enqueue(services.db.write, verifyEmailEmail, message, writing);
}

const plain = z.object({ to: z.string() });
type Plain = z.infer<typeof plain>;

function sendPlain({ mail }: Services, { to }: Plain, { id }: { id: string; signal: AbortSignal }) {
  const receiver = { name: "", address: to };
  return mail.send({ id, to: receiver, subject: "Hello", html: "<p>Hello", text: "Hello" });
}

/** Emails that cost nothing to make. */
export const emailJob = (
  kind: string,
  { run = sendPlain, priority }: { run?: typeof sendPlain; priority?: "bulk" } = {},
) => defineJob({ kind, payload: plain, run, ...(priority && { priority }) });

/** One of usual priority. */
export const plainEmail = emailJob("test.email");

function writePlain({ db, clock }: Services, { to = newAddress(), ...rest }: Writing = {}) {
  return enqueue(db.write, plainEmail, { to }, { now: clock.now(), to: { address: to }, ...rest });
}

/** Work of a kind of its own that is in progress until `release`. */
export function heldJob(kind = "test.held", { slow = false } = {}) {
  const held = Promise.withResolvers<void>();
  const begun: string[] = [];
  const job = defineJob({
    ...{ kind, slow, payload: z.object({}) },
    async run(_services, _payload, { id }) {
      begun.push(id);
      await held.promise;
    },
  });
  return { job, begun, release: held.resolve };
}

export const until = (check: () => Promise<void> | void, more: { timeout?: number } = {}) =>
  vi.waitFor(check, { ...patient, ...more });

type Outbox = Awaited<ReturnType<typeof openOutbox>>;

/** An {@link openOutbox} of its own for each test of the file. */
export function outboxOfEachTest(): Outbox {
  const kit = {} as Outbox;
  beforeEach(async () => {
    Object.assign(kit, await openOutbox());
  });
  afterEach(() => kit.close());
  return kit;
}

/** Services whose mail goes to a server that can be started and stopped, and workers that end with them. */
async function openOutbox() {
  const port = await freePort();
  const kit = await openTestServices({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: "Blue Dot <hello@grief.example>",
  });
  const { services, clock } = kit;
  const workers: Worker[] = [];
  const servers: MailServer[] = [];
  const row = (id: string) =>
    services.db.read
      .selectFrom("outbox")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
  const rowIs = (id: string, expected: object) =>
    until(async () => expect(await row(id)).toMatchObject(expected));
  return {
    services,
    clock,
    port,
    work(list = jobs, pace: Partial<WorkerPace> = {}): Worker {
      const worker = startWorker(services, list, { ...defaultWorkerPace, ...pace });
      workers.push(worker);
      return worker;
    },
    async serve(): Promise<MailServer> {
      const server = await startMailServer(port);
      servers.push(server);
      return server;
    },
    /** Queues work of a kind, due now. */
    put: <Payload>(job: Pick<Job<Payload>, "kind">, payload: Payload) =>
      enqueue(services.db.write, job, payload, { now: clock.now() }),
    write: (writing?: Writing) => writeEmail(services, writing),
    writePlain: (writing?: Writing) => writePlain(services, writing),
    /** Several emails, one after another. */
    async writeSome(count: number) {
      const ids: string[] = [];
      for (let n = 0; n < count; n += 1) ids.push(await writeEmail(services));
      return ids;
    },
    row,
    /** Waits until a row is like this. */
    rowIs,
    /** Waits until the work of these rows is done. */
    async finished(...ids: string[]) {
      for (const id of ids) await rowIs(id, { finishedAt: expect.any(Date) });
    },
    /** Waits until no email can be sent, for a reason with these words. */
    outageNoted: (words = "") =>
      until(async () =>
        expect(await readOutage(services.db.read, clock.now())).toMatchObject({
          words: expect.stringContaining(words),
        }),
      ),
    /** What the coach is told of the mail server just now. */
    outage: () => readOutage(services.db.read, clock.now()),
    async close() {
      for (const worker of workers) await worker.stop();
      // The site hangs up first: the server waits for anyone who is connected.
      await kit.close();
      for (const server of servers) await server.close();
    },
  };
}
