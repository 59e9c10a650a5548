import { writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import type { PlayableMedia } from "~/features/player/schema.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Bucket } from "~/platform/storage/storage.ts";
import { temporaryFolder } from "../support/config.ts";
import { createCourse, type TestCourse } from "../support/courses.ts";
import { lessonOf } from "../support/journal.ts";
import { createPerson, type Person } from "../support/people.ts";
import { type Asking, siteOfFile } from "../support/site.ts";

const site = siteOfFile();
let student: Person;
let course: TestCourse;
let soundKey: string;
let filmKey: string;

const bytes = "the sound of water, which goes on for some time";

beforeEach(async () => {
  student = await createPerson(site.services);
  soundKey = await put("course-audio", `${newId()}/1-sound.mp3`);
  filmKey = await put("course-videos", `${newId()}/1-film.mp4`);
  course = await createCourse(site.services, [
    [{ muxPlaybackId: filmKey, audioKey: soundKey }, {}],
    [{ dripDay: 7, audioKey: soundKey }],
  ]);
  await enroll(site.services, { userId: student.id, productId: course.id });
});

const lessonId = () => lessonOf(course, 0, 0).id;
const learn = (rest = "") => `/courses/${course.slug}/learn${rest}`;
type Values = { audioKey?: string; videoCaptions?: string | null; audioTranscript?: string };
const change = (values: Values) =>
  site.services.db.write.updateTable("lessons").set(values).where("id", "=", lessonId()).execute();

function save(positionMs: number, more: Record<string, unknown> = {}, as: Person | null = student) {
  const json = { lessonId: lessonId(), kind: "audio", key: soundKey, positionMs, ...more };
  return site.ask(learn("/position"), { as, method: "PUT", json });
}
const askMedia = (lesson = "lesson-1-1", as = student) =>
  site.ask(learn(`/media?lesson=${lesson}`), { as });
async function media(lesson?: string, as?: Person): Promise<PlayableMedia> {
  const response = await askMedia(lesson, as);
  expect(response.status).toBe(200);
  return (await response.json()) as PlayableMedia;
}
const positionMs = async () => (await media()).audio?.position?.positionMs ?? null;
const page = async () => (await site.ask(learn("?lesson=lesson-1-1"), { as: student })).text();

async function put(bucket: Bucket, key: string) {
  const file = path.join(temporaryFolder(), "file");
  writeFileSync(file, bytes);
  await site.services.storage.putFile(bucket, key, file);
  return key;
}

describe("GET /courses/{slug}/learn/media", () => {
  test("gives URLs for an hour, and everything that the page shows", async () => {
    const response = await askMedia();
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    const { video, audio, expiresInMs } = (await response.json()) as PlayableMedia;
    expect(expiresInMs).toBe(3600_000);
    for (const [shown, key] of [
      [video, filmKey],
      [audio, soundKey],
    ] as const) {
      expect(shown?.key).toBe(key);
      expect(await (await site.ask(shown?.url ?? "")).text()).toBe(bytes);
    }
    expect(video).toMatchObject({ kind: "video", durationMs: null, hasCaptions: false });
    site.clock.forward(3600_000);
    expect((await site.ask(audio?.url ?? "")).status).toBe(403);
    expect((await site.ask((await media()).audio?.url ?? "")).status).toBe(200);
  });

  test("leaves out a file that is missing, and has none of a lesson without", async () => {
    await change({ audioKey: "gone/1-sound.mp3" });
    expect(await media()).toMatchObject({ audio: null, video: { key: filmKey } });
    expect(await media("lesson-1-2")).toMatchObject({ video: null, audio: null });
  });

  test("gives an admin who is not enrolled a locked lesson's, without a position", async () => {
    const admin = await createPerson(site.services, { role: "admin" });
    expect((await media("lesson-2-1", admin)).audio).toMatchObject({
      key: soundKey,
      position: null,
    });
  });

  test("knows the length of a file from its upload", async () => {
    const file = { id: newId(), bucket: "course-audio", key: soundKey, fileName: "sound.mp3" };
    const about = { contentType: "audio/mpeg", size: 47, durationMs: 89_980 };
    await site.services.db.write
      .insertInto("mediaFiles")
      .values({ ...file, ...about, lessonId: lessonId(), createdAt: site.clock.now() })
      .execute();
    expect((await media()).audio?.durationMs).toBe(89_980);
    expect(await page()).toContain("Length 1:30");
  });
});

describe("GET /courses/{slug}/learn/captions", () => {
  const vtt = "WEBVTT\n\n00:00.000 --> 00:02.000\nBreathe in.\n";
  const ask = (as: Person | null = student) =>
    site.ask(learn("/captions?lesson=lesson-1-1"), { as });

  test("gives WebVTT to those who may read the lesson", async () => {
    await change({ videoCaptions: vtt });
    const response = await ask();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/vtt; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(await response.text()).toBe(vtt);
    expect(await page()).toContain(`src="${learn("/captions?lesson=lesson-1-1")}"`);
    expect((await ask(null)).status).toBe(401);
    expect((await ask(await createPerson(site.services))).status).toBe(403);
  });

  test.each([null, ""])("is 404 for %j, and the page names none", async (text) => {
    await change({ videoCaptions: text });
    expect((await ask()).status).toBe(404);
    expect(await page()).not.toContain("<track");
  });
});

test("the lesson page: shows a transcript as text, whatever is in it", async () => {
  await change({ audioTranscript: "First <b>words</b> & more.\n\nSecond\nwords." });
  expect(await page()).toContain(
    "<p>First &lt;b&gt;words&lt;/b&gt; &amp; more.</p><p>Second\nwords.</p>",
  );
});

describe("PUT /courses/{slug}/learn/position", () => {
  test("saves a position, and the page begins there", async () => {
    const response = await save(200_400);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ positionMs: 200_400 });
    expect(await positionMs()).toBe(200_400);
    const html = await page();
    expect(html).toContain("#t=200.4");
    expect(html).toContain("Continues at <!-- -->3:20");
  });

  test("keeps the position that was measured last, not the one that arrived last", async () => {
    await save(100_000);
    site.clock.forward(3600_000);
    await save(500_000, { agoMs: 60_000 });
    const late = await save(100_000, { agoMs: 600_000 });
    expect(await late.json()).toMatchObject({ positionMs: 500_000 });
    expect(await positionMs()).toBe(500_000);
    await save(30_000);
    expect(await positionMs()).toBe(30_000);
  });

  test("is idempotent, also at the same time", async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => save(42_000)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await positionMs()).toBe(42_000);
  });

  test("counts for its file alone: a new file starts at its beginning", async () => {
    await save(300_000);
    const key = await put("course-audio", `${newId()}/2-sound.mp3`);
    await change({ audioKey: key });
    expect(await positionMs()).toBeNull();
    expect(await page()).not.toContain("Continues at");
    expect((await save(310_000)).status).toBe(404);
    const first = await save(9_000, { key, agoMs: 5000 });
    expect(await first.json()).toMatchObject({ positionMs: 9_000 });
    expect(await positionMs()).toBe(9_000);
  });

  test("saves each student's own, for each kind", async () => {
    await save(100_000);
    await save(7_000, { kind: "video", key: filmKey });
    const other = await createPerson(site.services);
    await enroll(site.services, { userId: other.id, productId: course.id });
    expect((await media("lesson-1-1", other)).audio?.position).toBeNull();
    const { video, audio } = await media();
    expect([video?.position?.positionMs, audio?.position?.positionMs]).toEqual([7_000, 100_000]);
  });

  test("refuses who may not study, another user's page, and other files and lessons", async () => {
    const admin = await createPerson(site.services, { role: "admin" });
    expect((await save(1, {}, null)).status).toBe(401);
    expect((await save(1, {}, await createPerson(site.services))).status).toBe(403);
    expect((await save(1, {}, admin)).status).toBe(403);
    expect((await save(1, { userId: newId() })).status).toBe(401);
    expect((await save(1, { userId: student.id })).status).toBe(200);
    const locked = await save(1, { lessonId: lessonOf(course, 1, 0).id });
    expect(await locked.json()).toMatchObject({ error: { code: "locked" } });
    for (const id of ["none", "\0", newId()])
      expect((await save(1, { lessonId: id })).status).toBe(404);
    for (const key of ["other/1-sound.mp3", filmKey, "../x"])
      expect((await save(1, { key })).status).toBe(404);
  });

  test.each([
    { positionMs: -1 },
    { positionMs: 1.5 },
    { positionMs: "1" },
    { positionMs: 3e9 },
    { positionMs: null },
    { kind: "text" },
    { kind: undefined },
    { key: "" },
    { key: "a\0b" },
    { key: "k".repeat(1001) },
    { agoMs: -1 },
    { agoMs: 1e13 },
    { lessonId: 7 },
    { lessonId: "x".repeat(101) },
  ])("refuses %j", async (wrong) => {
    const response = await save(1000, wrong);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: "invalid" } });
    expect(await positionMs()).toBeNull();
  });

  test("refuses what is no JSON object, other methods and other sites", async () => {
    const ask = (asking: Asking) => site.ask(learn("/position"), { as: student, ...asking });
    for (const body of ["", "{", "null", "7", "[]", "<xml/>"])
      expect([body, (await ask({ method: "PUT", body })).status]).toEqual([body, 400]);
    for (const method of ["POST", "DELETE", "PATCH"]) {
      const response = await ask({ method, json: {} });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "PUT"]);
    }
    const origin = "https://evil.example";
    expect((await ask({ method: "PUT", json: {}, origin })).status).toBe(403);
  });
});
