import { setTimeout as pause } from "node:timers/promises";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { moduleCompletedEmail } from "~/features/lesson-emails/jobs.server.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { testConfig } from "../support/config.ts";
import { createCourse } from "../support/courses.ts";
import { createPerson } from "../support/people.ts";
import { freePort } from "../support/port.ts";
import { startMailServer } from "../support/smtp.ts";
import { type Figure, mb, perSecond } from "./figure.ts";
import { cpuSeconds, median, residentMb } from "./measure.ts";
import { startSite } from "./server.ts";
import { benchFolder, onEachEngine, type Place } from "./world.ts";

const due = 10_000;
const students = 100;
const sampleMs = 100;
/** More than this between the fifth tenth and the last is no flat memory. */
const growthMb = 25;

/**
 * Ten thousand real emails that are all due when the site starts, through an SMTP server in this
 * process.
 */
export const mails = () => onEachEngine(sentOn);

async function sentOn(engine: string, place: Place): Promise<Figure[]> {
  const { url, drop } = await place();
  const config = await testConfig(url, { DATA_DIR: benchFolder() });
  await writeDue(config);
  const port = await freePort();
  const server = await startMailServer(port, { keep: false });
  const site = await startSite(config.dataDir, "node", {
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: "hello@grief.example",
    ...(config.databaseUrl && {
      DATABASE_URL: config.databaseUrl,
      AUTH_SECRET: config.authSecret,
    }),
  });
  const sampled = await sample(site.pid, () => server.received());
  await site.stop();
  await server.close();
  const { left, duplicates } = await leftOver(config, server.duplicates());
  await drop?.();
  const tenth = Math.max(1, Math.floor(sampled.memory.length / 10));
  const first = median(sampled.memory.slice(0, tenth));
  // Until some thousands have gone, V8 lets the room for short-lived things grow to its full size.
  const settled = median(sampled.memory.slice(4 * tenth, 5 * tenth));
  const last = median(sampled.memory.slice(-tenth));
  const most = Math.max(...sampled.memory);
  return [
    {
      what: `10,000 due emails through SMTP, ${engine}`,
      measured: `${perSecond(due / sampled.seconds)}, ${perSecond(due / sampled.cpu)} a core; ${left} left, ${duplicates} twice`,
      bar: "none left, none twice",
      met: left === 0 && duplicates === 0,
    },
    {
      what: `resident memory of the site meanwhile, ${engine}`,
      measured: `${mb(first)} in the first tenth, ${mb(settled)} in the fifth, ${mb(last)} in the last, ${mb(most)} at most`,
      bar: `flat (${growthMb} MB more than in the fifth tenth at most)`,
      met: last - settled <= growthMb,
    },
  ];
}

type Config = Awaited<ReturnType<typeof testConfig>>;

async function writeDue(config: Config) {
  const services = await openServices(config);
  const course = await createCourse(services, [[{}], [{}]]);
  const moduleId = course.modules[0]?.id ?? "";
  const now = services.clock.now();
  for (let n = 0; n < students; n += 1) {
    const { id: userId } = await createPerson(services, { name: `Ada ${n}` });
    await enroll(services, { userId, productId: course.id });
    await services.db.transaction(async (trx) => {
      for (let message = 0; message < due / students; message += 1)
        await enqueue(trx, moduleCompletedEmail, { userId, moduleId }, { now, to: { userId } });
    });
  }
  // What enrolling causes is not counted here.
  await services.db.write
    .deleteFrom("outbox")
    .where("kind", "!=", moduleCompletedEmail.kind)
    .execute();
  await closeServices(services);
}

/** Until all have come, or nothing comes any more. */
async function sample(pid: number, received: () => number) {
  const start = performance.now();
  const cpu = cpuSeconds(pid);
  const memory: number[] = [];
  let [before, still] = [0, 0];
  while (received() < due && still < 30_000 / sampleMs) {
    await pause(sampleMs);
    memory.push(residentMb(pid));
    still = received() === before ? still + 1 : 0;
    before = received();
  }
  return { seconds: (performance.now() - start) / 1000, cpu: cpuSeconds(pid) - cpu, memory };
}

async function leftOver(config: Config, duplicates: number) {
  const services = await openServices(config);
  const rows = await services.db.read
    .selectFrom("outbox")
    .select("id")
    .where("finishedAt", "is", null)
    .execute();
  await closeServices(services);
  return { left: rows.length, duplicates };
}
