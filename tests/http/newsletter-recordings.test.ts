import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cleanUpMedia } from "~/features/lesson-media/jobs.server.ts";
import { getIssue } from "~/features/newsletter-issues/issues.server.ts";
import { issueMessages } from "~/features/newsletter-issues/messages.ts";
import { previewIssue } from "~/features/newsletter-issues/render-issue.server.ts";
import { cleanUpRecordings } from "~/features/recordings/jobs.server.ts";
import { recordingMessages, recordingsAnHour } from "~/features/recordings/messages.ts";
import { namedIn } from "~/platform/backup/named-media.ts";
import { newId } from "~/platform/db/ids.ts";
import { addReaders, startWritten, writeIssue } from "../support/issue-sending.ts";
import { createPerson, type Person } from "../support/people.ts";
import { adminOfFile } from "../support/people-of-tests.ts";
import { mainOf } from "../support/responses.ts";
import { startS3 } from "../support/s3.ts";
import { siteOfFile, startSite, type TestSite } from "../support/site.ts";
import { sampleFile } from "../support/uploads.ts";

const site = siteOfFile();
const admin = adminOfFile(site);
const mp3 = sampleFile("sound.mp3");

const send = (body: BodyInit, as: Person | null = admin, to: Pick<TestSite, "ask"> = site) =>
  to.ask("/admin/newsletter/recordings", { as, body });
const bytes = (file: Uint8Array) => new Uint8Array(file);

async function add(file: Uint8Array = mp3, to?: TestSite, as?: Person): Promise<string> {
  const answer = await send(bytes(file), as, to);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { id: string }).id;
}

async function addressOf(id: string, { services }: Pick<TestSite, "services"> = site) {
  const row = services.db.read.selectFrom("recordings").selectAll().where("id", "=", id);
  const { hash, type, bytes: size, seconds } = await row.executeTakeFirstOrThrow();
  return { path: `/recordings/${hash}.${type}`, type, size, seconds };
}

describe("POST /admin/newsletter/recordings", () => {
  test.each([
    ["sound.mp3", "mp3"],
    ["sound.m4a", "m4a"],
    ["sound-only.mp4", "m4a"],
    ["sound.aac", "aac"],
    ["sound.ogg", "ogg"],
  ])("takes %s by its content", async (name, type) => {
    const file = sampleFile(name);
    const found = await addressOf(await add(file));
    expect(found).toMatchObject({ type, size: file.length });
    expect(found.seconds).toBeLessThan(5);
    const answer = await site.ask(found.path);
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(new Uint8Array(file));
  });

  test("says why it refuses what is no such recording, is cut off or too large", async () => {
    const refusals: [BodyInit, number, string][] = [
      [bytes(sampleFile("film.mp4")), 400, recordingMessages.noSound],
      [bytes(sampleFile("sound.wav")), 400, recordingMessages.noSound],
      ["<script>alert(1)</script>", 400, recordingMessages.noSound],
      [bytes(sampleFile("sound.m4a")).subarray(0, 2_000), 400, recordingMessages.broken],
      ["", 400, recordingMessages.empty],
      [new Uint8Array(50_000_001), 413, recordingMessages.tooLarge],
    ];
    for (const [body, status, message] of refusals) {
      const answer = await send(body);
      expect([answer.status, await answer.json()]).toMatchObject([status, { error: { message } }]);
    }
    const student = await createPerson(site.services);
    expect((await send(bytes(mp3), student)).status).toBe(403);
    expect((await send(bytes(mp3), null)).status).toBe(401);
  });

  test("takes a body of unknown length up to the limit, and no more", async () => {
    const piece = new Uint8Array(1_000_000);
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1;
        controller.enqueue(piece);
        if (sent === 60) controller.close();
      },
    });
    const headers = { cookie: await site.cookieOf(admin), origin: site.services.config.appUrl };
    const options = { method: "POST", body, headers, duplex: "half" };
    const url = new URL("/admin/newsletter/recordings", site.url);
    // The connection ends with the refusal, which may be seen or not.
    const status = await fetch(url, options as RequestInit).then(
      (answer) => answer.status,
      () => 413,
    );
    expect(status).toBe(413);
  });

  test("takes 20 an hour of one admin", async () => {
    const as = await createPerson(site.services, { role: "admin" });
    for (let n = 0; n < recordingsAnHour; n += 1) expect((await send("x", as)).status).toBe(400);
    expect((await send(bytes(mp3), as)).status).toBe(429);
  });
});

describe("GET /recordings/{name}", () => {
  test("sends ranges, may be stored for good, and is found by nothing but its name", async () => {
    const { path } = await addressOf(await add());
    const whole = await site.ask(path);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      "accept-ranges": "bytes",
      "cache-control": "public, max-age=31536000, immutable",
      "content-type": "audio/mpeg",
      "x-content-type-options": "nosniff",
    });
    const part = await site.ask(path, { headers: { range: "bytes=100-199" } });
    expect([part.status, part.headers.get("content-range")]).toEqual([
      206,
      `bytes 100-199/${mp3.length}`,
    ]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(mp3.subarray(100, 200));
    const status = async (address: string, headers: Record<string, string> = {}) =>
      (await site.ask(address, { headers })).status;
    expect(await status(path, { range: "bytes=999999-" })).toBe(416);
    expect(await status(path, { "if-none-match": whole.headers.get("etag") ?? "" })).toBe(304);
    const head = await site.ask(path, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, `${mp3.length}`]);
    expect(await status(path.replace(".mp3", ".ogg"))).toBe(404);
    expect(await status(`/recordings/${"0".repeat(32)}.mp3`)).toBe(404);
    expect(await status("/recordings/..%2fsecret")).toBe(404);
  });

  test("comes through the site from S3, in ranges too", async () => {
    const s3 = await startS3();
    const far = await startSite(s3.env);
    try {
      const as = await createPerson(far.services, { role: "admin" });
      const { path } = await addressOf(await add(mp3, far, as), far);
      const whole = await far.ask(path);
      expect([whole.status, whole.headers.get("content-type")]).toEqual([200, "audio/mpeg"]);
      expect(Buffer.from(await whole.arrayBuffer())).toEqual(mp3);
      const part = await far.ask(path, { headers: { range: "bytes=-50" } });
      expect(part.status).toBe(206);
      expect(Buffer.from(await part.arrayBuffer())).toEqual(mp3.subarray(-50));
      expect((await far.ask(path.replace(".mp3", ".ogg"))).status).toBe(404);
    } finally {
      await far.close();
      await s3.close();
    }
  });
});

describe("a recording in an issue", () => {
  const textWith = (id: string) =>
    `Before.\n\n[Listen: The *morning* walk](recording:${id})\n\nIn [a line](recording:${id}) of text.\n\n[Gone](recording:${newId()})`;

  beforeAll(() => addReaders(site.services, 1));
  afterAll(() => site.services.db.write.deleteFrom("newsletterIssues").execute());

  test("is a player on its page and in the feed, and a link in its email", async () => {
    const { services } = site;
    const recording = await add();
    const { path } = await addressOf(recording);
    const text = textWith(recording).split("\n\n").slice(0, 3).join("\n\n");
    const id = await writeIssue(services, { subject: "The walk", body: text });
    const draft = await getIssue(services.db.read, id);
    const before = await previewIssue(services, draft, "Ada");
    expect(before.html).toContain(`href="${services.config.appUrl}${path}"`);
    await startWritten(services, id);
    const startedAt = services.clock.now();
    const out = services.db.write.updateTable("newsletterIssues").set({ state: "sent", startedAt });
    await out.where("id", "=", id).execute();
    await site.ask("/nothing-here", { as: admin, form: {} });
    const page = await site.ask("/newsletter/the-walk");
    const html = mainOf(await page.text());
    expect(html).toContain(
      `<figure class="recording"><figcaption>Listen: The <em>morning</em> walk <span>0:01</span></figcaption><audio controls preload="none" src="${path}" aria-label="Listen: The morning walk"></audio></figure>`,
    );
    expect(html).toContain(`In <a href="${path}" rel="noopener noreferrer">a line</a>`);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'self'");
    expect(page.headers.get("content-security-policy")).not.toContain("media-src");
    const feed = await (await site.ask("/newsletter/feed.xml")).text();
    expect(feed).toContain(`src="${services.config.appUrl}${path}"`);
    const after = await previewIssue(services, await getIssue(services.db.read, id), "Ada");
    const online = `${services.config.appUrl}/newsletter/the-walk`;
    expect(after.html).toMatch(new RegExp(`<a [^>]*href="${online}"[^>]*>[^]*?Listen: The`));
    expect(after.html).not.toContain("<audio");
    expect(after.text).toMatch(new RegExp(`Listen: The morning walk:\\s*${online}`));
  });

  test("leaves its words where it is unknown, and in other texts", async () => {
    const { services } = site;
    const id = await writeIssue(services, { body: textWith(newId()) });
    const { html } = await previewIssue(services, await getIssue(services.db.read, id), "Ada");
    expect(html).toContain("Gone");
    expect(html).not.toContain("recording:");
    const preview = `/admin/newsletter/issues/${id}/preview?as=archive`;
    const shown = (await (await site.ask(preview, { as: admin })).json()) as { html: string };
    expect(shown.html).toContain("<p>Listen: The <em>morning</em> walk</p>");
    expect(shown.html).not.toMatch(/recording:|<audio/);
  });

  test("keeps an issue from being sent while it is on its way, or when it is gone", async () => {
    const { services } = site;
    const waiting = await writeIssue(services, { body: "[Listen: x](recording:uploading-1)" });
    await expect(startWritten(services, waiting)).rejects.toThrow(issueMessages.uploadingRecording);
    const gone = await writeIssue(services, { body: textWith(await add()) });
    await expect(startWritten(services, gone)).rejects.toThrow(recordingMessages.gone);
  });
});

describe("recordings that nothing uses", () => {
  test("are deleted after 30 days; those of drafts and of what was sent stay", async () => {
    const { services, clock } = site;
    const [lost, drafted, sent] = [await add(), await add(), await add()];
    const names = (id: string) => `[Listen: x](recording:${id})`;
    const draft = await writeIssue(services, { body: names(drafted) });
    const old = await writeIssue(services, { body: names(sent) });
    await startWritten(services, old);
    await services.db.write.deleteFrom("newsletterIssues").where("id", "=", old).execute();
    const paths = await Promise.all([lost, drafted, sent].map((id) => addressOf(id)));
    const there = () =>
      Promise.all(paths.map(async ({ path }) => (await site.ask(path)).status === 200));
    const cleanUp = async (days: number) => {
      clock.forwardDays(days);
      await Promise.all([cleanUpRecordings.run(services), cleanUpRecordings.run(services)]);
      await cleanUpMedia.run(services);
    };
    await cleanUp(0);
    await cleanUp(29.9);
    expect(await there()).toEqual([true, true, true]);
    await cleanUp(0.2);
    expect(await there()).toEqual([false, true, true]);
    await services.db.write.deleteFrom("newsletterIssues").where("id", "=", draft).execute();
    await cleanUp(0);
    await cleanUp(29.9);
    expect(await there()).toEqual([false, true, true]);
    await cleanUp(0.2);
    expect(await there()).toEqual([false, false, true]);
    const named = (await namedIn(services.db.read)).map(({ key }) => key);
    expect(named).toContain(paths[2]?.path.replace("/recordings/", "newsletter/"));
    // A file whose row went first.
    await services.db.write.deleteFrom("recordings").where("id", "=", sent).execute();
    await cleanUp(0);
    await cleanUp(7.1);
    expect(await there()).toEqual([false, false, false]);
  });
});
