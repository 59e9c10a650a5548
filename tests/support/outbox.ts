import { afterEach, beforeEach, expect, vi } from "vitest";
import { z } from "zod";
import { verifyEmailEmail } from "~/features/auth/jobs.server.ts";
import { readOutage } from "~/platform/email/outage.ts";
import type { Services } from "~/platform/http/services.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import {
  defaultQueuePace,
  type QueuePace,
  startWorker,
  type Worker,
} from "~/platform/jobs/worker.ts";
import { jobs } from "~/server/jobs.ts";
import { newAddress } from "./accounts.ts";
import { freePort } from "./port.ts";
import { openTestServices } from "./services.ts";
import { type MailServer, startMailServer } from "./smtp.ts";

type Writing = { to?: string; dueAt?: Date; worksUntil?: Date };

/** Writes a letter with a link that signs in. */
export function writeEmail(services: Services, { to = newAddress(), ...rest }: Writing = {}) {
  const link = "http://localhost/auth/verify?token=secret-token";
  const letter = { to: { name: "Ada", address: to }, link };
  const writing = { now: services.clock.now(), to: { address: to }, ...rest };
  return enqueue(services.db.write, verifyEmailEmail, letter, writing);
}

const plain = z.object({ to: z.string() });
type Plain = z.infer<typeof plain>;

function sendPlain({ mail }: Services, { to }: Plain, { id }: { id: string; signal: AbortSignal }) {
  const receiver = { name: "", address: to };
  return mail.send({ id, to: receiver, subject: "Hello", html: "<p>Hello", text: "Hello" });
}

/** Letters that cost nothing to make. */
export const letterJob = (
  kind: string,
  { run = sendPlain, bulk = false }: { run?: typeof sendPlain; bulk?: boolean } = {},
) => defineJob({ kind, bulk, payload: plain, run });

/** One that nobody sits and waits for. */
export const plainLetter = letterJob("test.letter");

function writePlain({ db, clock }: Services, { to = newAddress(), ...rest }: Writing = {}) {
  return enqueue(db.write, plainLetter, { to }, { now: clock.now(), to: { address: to }, ...rest });
}

export const until = (check: () => Promise<void> | void) =>
  vi.waitFor(check, { timeout: 15_000, interval: 20 });

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
  return {
    services,
    clock,
    port,
    work(list = jobs, pace: Partial<QueuePace> = {}): Worker {
      const worker = startWorker(services, list, { ...defaultQueuePace, ...pace });
      workers.push(worker);
      return worker;
    },
    async serve(): Promise<MailServer> {
      const server = await startMailServer(port);
      servers.push(server);
      return server;
    },
    /** Writes down work of a kind, due now. */
    put: (job: typeof plainLetter, payload: Plain) =>
      enqueue(services.db.write, job, payload, { now: clock.now() }),
    write: (writing?: Writing) => writeEmail(services, writing),
    writePlain: (writing?: Writing) => writePlain(services, writing),
    /** Several letters, one after another. */
    async writeSome(count: number) {
      const ids: string[] = [];
      for (let n = 0; n < count; n += 1) ids.push(await writeEmail(services));
      return ids;
    },
    row,
    /** Waits until the work of a row is done. */
    finished: (id: string) =>
      until(async () => expect((await row(id)).finishedAt).toBeInstanceOf(Date)),
    /** What the coach is told of the mail server just now. */
    outage: () => readOutage(services.db.read, clock.now()),
    async close() {
      for (const worker of workers) await worker.stop();
      // The site hangs up first: the server waits for whoever is connected.
      await kit.close();
      for (const server of servers) await server.close();
    },
  };
}
