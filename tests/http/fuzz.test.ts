import { readFileSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { saveDraft } from "~/features/journal/drafts.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { testConfig } from "../support/config.ts";
import { freshDatabase } from "../support/database.ts";
import { addressesOf, formsOf, operationsOf, type Valid } from "../support/fuzz/harvest.ts";
import { type FuzzRequest, fuzzRequest, type Source } from "../support/fuzz/requests.ts";
import { type Got, send } from "../support/fuzz/send.ts";
import { cookieOf } from "../support/people.ts";
import { type Program, startServing } from "../support/process.ts";
import { createWorld, marks } from "../support/world.ts";

/** FUZZ_SEED and FUZZ_REQUESTS run it again, or for longer; FUZZ_FROM begins later in a run. */
const seed = Number(process.env.FUZZ_SEED ?? 20_261_122);
const from = Number(process.env.FUZZ_FROM ?? 0);
const count = Number(process.env.FUZZ_REQUESTS ?? 10_000);
const atOnce = 12;

let database: Awaited<ReturnType<typeof freshDatabase>>;
let program: Program & { url: string; dataDir: string };
let source: Source;
let secrets: string[];

beforeAll(async () => {
  database = await freshDatabase();
  const config = await testConfig(database.url, { TRUSTED_PROXIES: "1" });
  const services = await openServices(config);
  const world = await createWorld(services);
  const { id: userId } = world.other;
  const lessonId = world.active.modules[0]?.lessons[0]?.id ?? "";
  const said = (answer: string) => [{ question: "How was it?", answer }];
  await completeLesson(services, {
    userId,
    lessonId,
    answers: said(marks.othersJournal),
    drafts: [],
  });
  const draft = { userId, lessonId, draftId: newId(), revision: 1 };
  await saveDraft(services, { ...draft, answers: said(marks.othersDraft) });
  const people = {
    anonymous: null,
    student: await world.person("enrolled"),
    administrator: await world.person("administrator"),
  };
  const cookies: Record<string, string> = {};
  for (const [role, person] of Object.entries(people))
    cookies[role] = person ? await cookieOf(services, person.id) : "";
  secrets = [marks.othersJournal, marks.othersDraft, config.authSecret, config.dataDir];
  if (config.databaseUrl) secrets.push(config.databaseUrl);
  await closeServices(services);
  program = await startServing({
    ...{ PORT: String(config.port), DATA_DIR: config.dataDir, LOG_LEVEL: "warn" },
    ...{ TRUSTED_PROXIES: "1", AUTH_SECRET: config.authSecret },
    ...(config.databaseUrl ? { DATABASE_URL: config.databaseUrl } : {}),
  });
  const valid: Record<string, Valid[]> = {};
  for (const role of Object.keys(people)) {
    const found: Valid[] = operationsOf(world);
    for (const path of addressesOf(world)) {
      const headers = { cookie: cookies[role] ?? "" };
      const page = await fetch(new URL(path, program.url), { headers, redirect: "manual" });
      const forms = formsOf(await page.text(), path);
      found.push({ kind: "page", path }, ...forms.filter((form) => form.path.startsWith("/")));
    }
    valid[role] = found;
  }
  source = { seed, appUrl: program.url, valid, cookies };
}, 120_000);
afterAll(async () => {
  await program?.kill("SIGKILL");
  await database?.drop();
  if (program) rmSync(program.dataDir, { recursive: true, force: true });
});

const inside =
  /\n\s+at .+:\d+:\d+|node_modules|\/build\/server|SQLITE_|SqliteError|kysely|syntax error at|relation "|"__v|scrypt/i;
const locked = [marks.lockedText, marks.lockedQuestion, marks.lockedMedia];

/** What a site without Stripe's keys says by design. */
const notSold = "Nothing can be paid here yet.";

/** What is wrong with an answer; null when nothing is. */
function faultOf({ role }: FuzzRequest, { status, headers, body }: Got): string | null {
  if (status >= 500 && !(status === 503 && body.includes(notSold)))
    return `status ${status}: ${body.slice(0, 200)}`;
  const all = headers + body;
  // Without a mail server, the email log names the folder of the emails.
  const hidden =
    role === "administrator" ? secrets.filter((one) => one !== program.dataDir) : secrets;
  const found = inside.exec(all)?.[0] ?? hidden.find((secret) => all.includes(secret));
  if (found) return `tells ${found}`;
  if (role === "administrator") return null;
  const seen = locked.find((secret) => all.includes(secret));
  return seen ? `tells ${seen}` : null;
}

/** In MB. */
function memoryOf({ child }: Program): number {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

test(`${count} requests of seed ${seed} give no 500, no leak and no crash`, {
  timeout: 600_000,
}, async () => {
  process.stdout.write(`fuzz: FUZZ_SEED=${seed} FUZZ_FROM=${from} FUZZ_REQUESTS=${count}\n`);
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const faults: unknown[] = [];
  const statuses = new Map<number, number>();
  let next = from;
  let early = 0;
  async function worker() {
    while (next < from + count && faults.length < 20) {
      const asked = fuzzRequest(source, next);
      next += 1;
      // A connection that ended between two requests says nothing of the second one.
      const got = await send(program.url, asked, agent).catch(() =>
        send(program.url, asked, new Agent()),
      );
      statuses.set(got.status, (statuses.get(got.status) ?? 0) + 1);
      const fault = faultOf(asked, got);
      const { bytes, headers, ...rest } = asked;
      if (fault)
        faults.push({ fault, ...rest, headers, bytes: bytes?.toString("latin1").slice(0, 600) });
      if (next === from + Math.floor(count / 5)) early = memoryOf(program);
    }
  }
  const start = performance.now();
  await Promise.all(Array.from({ length: atOnce }, worker));
  agent.destroy();
  const told = [...statuses].toSorted().map(([status, times]) => `${status}: ${times}`);
  const seconds = Math.round((performance.now() - start) / 1000);
  const late = memoryOf(program);
  process.stdout.write(
    `fuzz: ${seconds} s, ${Math.round(early)} to ${Math.round(late)} MB; ${told}\n`,
  );
  expect(faults).toEqual([]);
  // It found its way: pages, forms that did something, refusals of every kind.
  for (const status of [200, 302, 303, 400, 403, 404, 405])
    expect(statuses.get(status)).toBeGreaterThan(10);
  expect(program.child.exitCode).toBeNull();
  expect((await fetch(new URL("/healthz", program.url))).status).toBe(200);
  expect(late - early).toBeLessThan(400);
  const { code, out, err } = await program.kill("SIGTERM");
  expect([code, err]).toEqual([0, ""]);
  const loud = out.split("\n").filter((line) => /"level":"(error|fatal)"/.test(line));
  expect(loud.slice(0, 10)).toEqual([]);
});
