import { rmSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { loadConfig } from "~/platform/config/config.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { createAccount, newAddress } from "../support/accounts.ts";
import { temporaryFolder } from "../support/config.ts";
import { confirmPath } from "../support/newsletter.ts";
import { openForTests } from "../support/open-for-tests.ts";
import { draftPlace, publishDrafts } from "../support/page-editing.ts";
import { patient } from "../support/patient.ts";
import { createPerson } from "../support/people.ts";
import { freePort } from "../support/port.ts";
import { start, startServing } from "../support/process.ts";
import { startMailServer } from "../support/smtp.ts";
import { startTwoMachines } from "../support/two-machines.ts";
import { startUnreliableProxy } from "../support/unreliable-network.ts";
import { filmOf, sha, storedFilm, upload, uploadingTo, uploadUntil } from "../support/uploads.ts";

// Two processes on one database: that is PostgreSQL.
describe.runIf(process.env.TEST_DATABASE_URL)("two machines", { timeout: 120_000 }, () => {
  const pair = openForTests(async () => {
    const port = await freePort();
    const mail = await startMailServer(port);
    const SMTP_URL = `smtp://127.0.0.1:${port}`;
    const mailing = { SMTP_URL, MAIL_FROM: "b@grief.example", SAMPLE_CONTENT: "on" };
    const two = await startTwoMachines(mailing);
    const close = () => two.close().then(mail.close);
    return { ...two, mail, close };
  });

  test("that start at once on an empty database both serve, and load the samples once", async () => {
    const { machines, ask, sql, s3 } = pair;
    for (const machine of machines) {
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
    const { one, other, machines, ask } = pair;
    const links = machines.map((machine) => /\/setup\?token=\S+/.exec(machine.out())?.[0] ?? "");
    const answers = await Promise.all(
      links.map(async (link) => [(await ask(one, link)).status, (await ask(other, link)).status]),
    );
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
    for (const [here, there] of answers) expect(here).toBe(there);
  });

  test("show the words of a page that was published on the other one", async () => {
    const { one, other, ask, services } = pair;
    const coach = await createPerson(services, { role: "admin" });
    const value = "Said on one machine";
    await draftPlace(services, coach, { page: "about", field: "heading", value });
    for (const machine of [one, other])
      expect(await (await ask(machine, "/about")).text()).not.toContain(value);
    await publishDrafts(services, "about");
    for (const machine of [one, other])
      await vi.waitFor(
        async () => expect(await (await ask(machine, "/about")).text()).toContain(value),
        patient,
      );
  });

  test("know each other's sessions, and that one has ended", async () => {
    const { one, other, machines, ask, services } = pair;
    const account = await createAccount(services);
    const sign = await ask(one, "/auth", { form: account });
    expect(sign.status).toBe(303);
    const cookie = sign.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
    for (const machine of machines)
      expect((await ask(machine, "/my-courses", { cookie })).status).toBe(200);
    expect((await ask(other, "/api/auth/sign-out", { cookie, json: {} })).status).toBe(200);
    for (const machine of machines)
      expect((await ask(machine, "/my-courses", { cookie })).status).toBe(302);
  });

  test("take a newsletter's confirmation that the other one asked for", async () => {
    const { one, other, ask, services, appUrl, mail } = pair;
    const email = newAddress();
    const signed = await ask(one, "/newsletter", { form: { firstName: "Ada", email } });
    expect(signed.status).toBe(303);
    const message = await vi.waitFor(() => {
      const found = mail.messages.find(({ to }) => to.includes(email));
      if (!found) throw new Error("no email yet");
      return found;
    }, patient);
    const text = message.source.replaceAll(/=\r?\n/g, "").replaceAll("=3D", "=");
    const path = confirmPath({ ...message, to: email, subject: "", link: "", text });
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
    const { ask, sql, env } = pair;
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
      const forged = url.replace(/signature=(.)/, (_, at) => `signature=${at === "_" ? "-" : "_"}`);
      expect((await ask(machine, forged)).status).toBe(403);
    }
    await closeServices(signed);
    await Promise.all([first.kill("SIGTERM"), second.kill("SIGTERM")]);
    rmSync(shared, { recursive: true, force: true });
  });

  test("take up an upload where the other one, which makes way for it, has left it", async () => {
    const { one, other, services, appUrl } = pair;
    const size = 25_000_000;
    const film = filmOf(size, (room) => {
      for (let at = 0; at + 4 <= room.length; at += 4) room.writeUInt32LE(at, at);
    });
    const wire = await startUnreliableProxy("127.0.0.1", Number(one.port));
    const to = await uploadingTo(services, `http://127.0.0.1:${wire.port}`);
    await new Promise<void>((resolve) => {
      // The first machine holds the upload, and is not told that the client is gone.
      const harm = () => {
        wire.falter();
        resolve();
      };
      void uploadUntil(film, to, { uploadId: null, sent: size / 2, harm });
    });
    const { id } = await services.db.read
      .selectFrom("uploads")
      .select("id")
      .executeTakeFirstOrThrow();
    const url = `http://127.0.0.1:${other.port}`;
    await upload(film, { ...to, url, origin: appUrl }, { uploadUrl: `${url}/uploads/${id}` });
    expect(await storedFilm(services, to.lessonId)).toEqual({ sha: sha(film), open: 0 });
    await wire.close();
  });

  // Last: the database is a newer version's afterwards.
  test("go on beside a newer version; an older one does not start on its database", async () => {
    const { machines, ask, sql, env, services } = pair;
    const [course] = await sql("select id from products order by slug");
    const student = await createPerson(services);
    await sql("insert into kysely_migration values ('999-later', '2099-01-01T00:00:00.000Z')");
    await sql("alter table enrollments add column mood text not null default 'calm'");
    const row = "'a', 'later.work', '{}', now(), 0, now()";
    await sql(
      `insert into outbox (id, kind, payload, due_at, attempts, created_at) values (${row})`,
    );
    expect(await enroll(services, { userId: student.id, productId: course.id })).toBe(true);
    for (const machine of machines)
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
