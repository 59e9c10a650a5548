import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { verifyEmailEmail } from "~/features/auth/jobs.server.ts";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { loadConfig } from "~/platform/config/config.ts";
import type { Services } from "~/platform/http/services.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { createAccount, newAddress } from "../../support/accounts.ts";
import { statement } from "../../support/catalogue.ts";
import { temporaryFolder } from "../../support/config.ts";
import { freshDatabase } from "../../support/database.ts";
import { confirmPath } from "../../support/newsletter.ts";
import { patient } from "../../support/patient.ts";
import { createPerson } from "../../support/people.ts";
import { freePort } from "../../support/port.ts";
import { start, startServing } from "../../support/process.ts";
import { startS3 } from "../../support/s3.ts";
import { startMailServer } from "../../support/smtp.ts";

const appUrl = "http://site.example";
type Machine = Awaited<ReturnType<typeof startServing>>;

// Two processes on one database: that is PostgreSQL.
describe.runIf(process.env.TEST_DATABASE_URL)("two machines", { timeout: 120_000 }, () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let s3: Awaited<ReturnType<typeof startS3>>;
  let mail: Awaited<ReturnType<typeof startMailServer>>;
  let env: Record<string, string>;
  let one: Machine;
  let other: Machine;
  let services: Services;

  beforeAll(async () => {
    database = await freshDatabase();
    s3 = await startS3();
    const port = await freePort();
    mail = await startMailServer(port);
    env = {
      ...{ DATABASE_URL: database.url ?? "", AUTH_SECRET: "one-secret-for-all-".repeat(2) },
      ...{ APP_URL: appUrl, SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "b@grief.example" },
      ...{ TRUSTED_PROXIES: "1", SAMPLE_CONTENT: "on", ...s3.env },
    };
    // At once, on a database with nothing in it.
    [one, other] = await Promise.all([startServing(env), startServing(env)]);
    const config = { ...env, DATA_DIR: temporaryFolder(), LOG_LEVEL: "silent" };
    services = await openServices(loadConfig(config));
  });
  afterAll(async () => {
    await Promise.all([one?.kill("SIGTERM"), other?.kill("SIGTERM")]);
    if (services) await closeServices(services);
    await mail?.close();
    await s3?.close();
    await database?.drop();
    for (const machine of [one, other]) rmSync(machine.dataDir, { recursive: true, force: true });
  });

  type Asking = { cookie?: string; from?: string; form?: Record<string, string>; json?: unknown };
  function ask({ port }: { port: string }, path: string, asking: Asking = {}) {
    const { cookie, from = "203.0.113.1", form, json } = asking;
    const headers = new Headers({ "x-forwarded-for": from });
    if (cookie) headers.set("cookie", cookie);
    const body = form ? new URLSearchParams(form) : json ? JSON.stringify(json) : null;
    if (body) headers.set("origin", appUrl);
    if (json) headers.set("content-type", "application/json");
    return fetch(`http://127.0.0.1:${port}${path}`, {
      headers,
      redirect: "manual",
      ...(body ? { method: "POST", body } : {}),
    });
  }
  const sql = (text: string) => statement({ url: database.url ?? "" }, text);

  test("that start at once on an empty database both serve, and load the samples once", async () => {
    for (const machine of [one, other]) {
      expect((await ask(machine, "/courses")).status).toBe(200);
      expect((await ask(machine, "/healthz")).status).toBe(200);
    }
    expect(await sql("select slug from products order by slug")).toEqual([
      { slug: "blue-dot-method" },
      { slug: "seven-days-of-calm" },
    ]);
    expect(s3.contents("test-course-audio")?.keys).toHaveLength(1);
  });

  test("print a setup link each: the newest is good, on both of them", async () => {
    const links = [one, other].map(
      (machine) => /\/setup\?token=\S+/.exec(machine.out())?.[0] ?? "",
    );
    const answers = await Promise.all(
      links.map(async (link) => [(await ask(one, link)).status, (await ask(other, link)).status]),
    );
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
    for (const [here, there] of answers) expect(here).toBe(there);
  });

  test("know each other's sessions, and that one has ended", async () => {
    const account = await createAccount(services);
    const sign = await ask(one, "/auth", { form: account });
    expect(sign.status).toBe(303);
    const cookie = sign.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
    for (const machine of [one, other])
      expect((await ask(machine, "/my-courses", { cookie })).status).toBe(200);
    expect((await ask(other, "/api/auth/sign-out", { cookie, json: {} })).status).toBe(200);
    for (const machine of [one, other])
      expect((await ask(machine, "/my-courses", { cookie })).status).toBe(302);
  });

  test("count tries to sign in together, exactly, also when all come at once", async () => {
    const json = { email: "nobody@example.com", password: "Wrong-horse-9" };
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        ask(n % 2 ? one : other, "/api/auth/sign-in/email", { json, from: "203.0.113.9" }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(14);
  });

  test("drop from memory what was changed on the other one", async () => {
    const shown = async (machine: Machine) => (await ask(machine, "/courses")).text();
    const [course] = await sql("select id from products order by slug");
    for (let round = 0; round < 3; round += 1) {
      for (const machine of [one, other]) await shown(machine);
      const title = `Title of round ${round}`;
      // As an administrator's request at any third machine does.
      await services.db.write
        .updateTable("products")
        .set({ title })
        .where("id", "=", course.id)
        .execute();
      for (const machine of [one, other])
        await vi.waitFor(async () => expect(await shown(machine)).toContain(title), patient);
    }
  });

  test("send each letter once", async () => {
    const now = services.clock.now();
    const before = mail.letters.length;
    const ids = await services.db.transaction(async (trx) => {
      const written: string[] = [];
      for (let n = 0; n < 80; n += 1) {
        const letter = {
          to: { name: "Ada", address: newAddress() },
          link: `${appUrl}/auth/verify?token=x`,
          worksUntil: null,
        };
        written.push(await enqueue(trx, verifyEmailEmail, letter, { now }));
      }
      return written;
    });
    const done = () => sql("select 1 from outbox where finished_at is null and failed_at is null");
    await vi.waitFor(async () => expect(await done()).toHaveLength(0), patient);
    const sent = mail.letters
      .slice(before)
      .map(({ source }) => /^Message-ID: <([^@]+)@/im.exec(source)?.[1]);
    expect(sent.toSorted()).toEqual(ids.toSorted());
  });

  test("take a newsletter's confirmation that the other one asked for", async () => {
    const email = newAddress();
    const signed = await ask(one, "/newsletter", { form: { firstName: "Ada", email } });
    expect(signed.status).toBe(303);
    const letter = await vi.waitFor(() => {
      const found = mail.letters.find(({ to }) => to.includes(email));
      if (!found) throw new Error("no letter yet");
      return found;
    }, patient);
    const text = letter.source.replaceAll(/=\r?\n/g, "").replaceAll("=3D", "=");
    const path = confirmPath({ ...letter, to: email, subject: "", link: "", text });
    expect((await ask(other, path)).status).toBeLessThan(400);
    const token = new URL(path, appUrl).searchParams.get("token") ?? "";
    expect((await ask(other, path, { form: { token } })).status).toBeLessThan(400);
    const [row] = await services.db.read
      .selectFrom("subscribers")
      .select("status")
      .where("email", "=", email)
      .execute();
    expect(row?.status).toBe("confirmed");
  });

  test("with one folder instead of a store, serve each other's signed media", async () => {
    const shared = temporaryFolder();
    const { S3_ENDPOINT, S3_BUCKET_PREFIX, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, ...rest } = env;
    const [first, second] = await Promise.all([
      startServing({ ...rest, DATA_DIR: shared }),
      startServing({ ...rest, DATA_DIR: shared }),
    ]);
    const signed = await openServices(
      loadConfig({ ...rest, DATA_DIR: shared, LOG_LEVEL: "silent" }),
    );
    const [lesson] = await sql("select audio_key from lessons where audio_key is not null");
    const url = await signed.storage.signedUrl("course-audio", lesson.audio_key, new Date());
    for (const machine of [first, second]) {
      const sound = await ask(machine, url);
      expect([sound.status, sound.headers.get("content-type")]).toEqual([200, "audio/mp4"]);
      expect((await ask(machine, url.replace(/signature=./, "signature=_"))).status).toBe(403);
    }
    await closeServices(signed);
    await Promise.all([first.kill("SIGTERM"), second.kill("SIGTERM")]);
    rmSync(shared, { recursive: true, force: true });
  });

  // Last: the database is a newer version's afterwards.
  test("go on beside a newer version; an older one does not start on its database", async () => {
    const [course] = await sql("select id from products order by slug");
    const student = await createPerson(services);
    await sql("insert into kysely_migration values ('999-later', '2099-01-01T00:00:00.000Z')");
    await sql("alter table enrollments add column mood text not null default 'calm'");
    const row = "'a', 'later.work', '{}', now(), 0, now()";
    await sql(
      `insert into outbox (id, kind, payload, due_at, attempts, created_at) values (${row})`,
    );
    expect(await enroll(services, { userId: student.id, productId: course.id })).toBe(true);
    for (const machine of [one, other])
      expect((await ask(machine, "/courses/blue-dot-method?anew")).status).toBe(200);
    const late = await (await start(env)).ended;
    expect(late.code).toBe(1);
    expect(late.err).toMatch(
      /^A newer version of the site has worked on this database \(999-later\)/,
    );
    expect(late.err.trim().split("\n")).toHaveLength(1);
    expect(await sql("select attempts from outbox where id = 'a'")).toEqual([{ attempts: 0 }]);
  });
});
