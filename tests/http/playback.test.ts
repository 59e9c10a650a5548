import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import type { PlayableMedia } from "~/features/player/schema.ts";
import { newId } from "~/platform/db/ids.ts";
import { temporaryFolder } from "../support/config.ts";
import { createCourse, type TestCourse } from "../support/courses.ts";
import { lessonOf } from "../support/journal.ts";
import { createPerson, type Person } from "../support/people.ts";
import { startSite, type TestSite } from "../support/site.ts";

let site: TestSite;
let student: Person;
let course: TestCourse;
let soundKey: string;
let filmKey: string;

const bytes = "the sound of water, which goes on for some time";

beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());
beforeEach(async () => {
  student = await createPerson(site.services);
  soundKey = `${newId()}/1-sound.mp3`;
  filmKey = `${newId()}/1-film.mp4`;
  const file = path.join(temporaryFolder(), "file");
  writeFileSync(file, bytes);
  await site.services.storage.putFile("course-audio", soundKey, file);
  await site.services.storage.putFile("course-videos", filmKey, file);
  course = await createCourse(site.services, [
    [{ muxPlaybackId: filmKey, audioKey: soundKey }, {}],
    [{ dripDay: 7, audioKey: soundKey }],
  ]);
  await enroll(site.services, { userId: student.id, productId: course.id });
});

const lessonId = () => lessonOf(course, 0, 0).id;
const learn = (rest = "") => `/courses/${course.slug}/learn${rest}`;
const change = (values: { audioKey?: string; videoCaptions?: string | null }) =>
  site.services.db.write.updateTable("lessons").set(values).where("id", "=", lessonId()).execute();

function place(
  positionMs: number,
  more: Record<string, unknown> = {},
  as: Person | null = student,
) {
  const json = { lessonId: lessonId(), kind: "audio", key: soundKey, positionMs, ...more };
  return site.ask(learn("/position"), { as, method: "PUT", json });
}

async function media(lesson = "lesson-1-1", as = student): Promise<PlayableMedia> {
  const response = await site.ask(learn(`/media?lesson=${lesson}`), { as });
  expect(response.status).toBe(200);
  return (await response.json()) as PlayableMedia;
}
const positionMs = async () => (await media()).audio?.position?.positionMs ?? null;
const page = async () => (await site.ask(learn("?lesson=lesson-1-1"), { as: student })).text();

describe("fresh addresses", () => {
  test("are good for an hour, and for everything that the page shows", async () => {
    const { video, audio, expiresInMs } = await media();
    expect(expiresInMs).toBe(3600_000);
    for (const [shown, key] of [
      [video, filmKey],
      [audio, soundKey],
    ] as const) {
      expect(shown?.key).toBe(key);
      expect(await (await site.ask(shown?.url ?? "")).text()).toBe(bytes);
    }
    expect(video).toMatchObject({ kind: "video", durationMs: null, hasCaptions: false });
  });

  test("take the place of one that has come to its end", async () => {
    const old = (await media()).audio?.url ?? "";
    site.clock.forward(3600_000);
    expect((await site.ask(old)).status).toBe(403);
    const fresh = (await media()).audio?.url ?? "";
    expect((await site.ask(fresh)).status).toBe(200);
  });

  test("are nobody's to keep", async () => {
    const response = await site.ask(learn("/media?lesson=lesson-1-1"), { as: student });
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(response.headers.get("content-type")).toContain("application/json");
  });

  test("of a file that is missing: the other one goes on alone", async () => {
    await change({ audioKey: "gone/1-sound.mp3" });
    const { audio, video } = await media();
    expect(audio).toBeNull();
    expect(video?.key).toBe(filmKey);
  });

  test("of a lesson without media: none", async () => {
    expect(await media("lesson-1-2")).toMatchObject({ video: null, audio: null });
  });

  test("how long it is comes from the register of files", async () => {
    const now = site.clock.now();
    const row = {
      lessonId: lessonId(),
      fileName: "sound.mp3",
      contentType: "audio/mpeg",
      size: 47,
    };
    await site.services.db.write
      .insertInto("mediaFiles")
      .values({
        id: newId(),
        bucket: "course-audio",
        key: soundKey,
        durationMs: 725_000,
        createdAt: now,
        ...row,
      })
      .execute();
    expect((await media()).audio?.durationMs).toBe(725_000);
    expect(await page()).toContain("12 minutes");
  });
});

describe("captions", () => {
  const vtt = "WEBVTT\n\n00:00.000 --> 00:02.000\nBreathe in.\n";
  const ask = (as: Person | null = student) =>
    site.ask(learn("/captions?lesson=lesson-1-1"), { as });

  test("come as WebVTT to whoever may read the lesson, and nobody keeps them", async () => {
    await change({ videoCaptions: vtt });
    const response = await ask();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/vtt; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(await response.text()).toBe(vtt);
    expect(await page()).toContain(`src="${learn("/captions?lesson=lesson-1-1")}"`);
  });

  test("stay with the lesson: 401, 403", async () => {
    await change({ videoCaptions: vtt });
    expect((await ask(null)).status).toBe(401);
    expect((await ask(await createPerson(site.services))).status).toBe(403);
  });

  test.each([null, ""])("that there are none (%j): 404, and the page names none", async (text) => {
    await change({ videoCaptions: text });
    expect((await ask()).status).toBe(404);
    expect(await page()).not.toContain("<track");
  });
});

describe("a position", () => {
  test("is kept, and the page begins there", async () => {
    const response = await place(200_400);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ positionMs: 200_400 });
    expect(await positionMs()).toBe(200_400);
    const html = await page();
    expect(html).toContain("#t=200.4");
    expect(html).toContain("Continues at <!-- -->3:20");
  });

  test("of one device gives way to a later one of another", async () => {
    await place(100_000);
    site.clock.forward(1000);
    await place(30_000);
    expect(await positionMs()).toBe(30_000);
  });

  test("that waited on a device changes nothing that was saved after it was measured", async () => {
    site.clock.forward(3600_000);
    await place(500_000, { agoMs: 60_000 });
    const late = await place(100_000, { agoMs: 600_000 });
    expect(await late.json()).toMatchObject({ positionMs: 500_000 });
    expect(await positionMs()).toBe(500_000);
    await place(510_000, { agoMs: 0 });
    expect(await positionMs()).toBe(510_000);
  });

  test("sent twice is once, also at the same time", async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => place(42_000)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await positionMs()).toBe(42_000);
  });

  test("is for its file alone: another one begins at its beginning, and its place counts", async () => {
    await place(300_000);
    const other = `${newId()}/2-sound.mp3`;
    const file = path.join(temporaryFolder(), "file");
    writeFileSync(file, bytes);
    await site.services.storage.putFile("course-audio", other, file);
    await change({ audioKey: other });
    expect(await positionMs()).toBeNull();
    expect(await page()).not.toContain("Continues at");
    expect((await place(310_000)).status).toBe(404);
    const first = await place(9_000, { key: other, agoMs: 5000 });
    expect(await first.json()).toMatchObject({ positionMs: 9_000 });
    expect(await positionMs()).toBe(9_000);
  });

  test("is each student's own, and each lesson's and each kind's own", async () => {
    await place(100_000);
    const other = await createPerson(site.services);
    await enroll(site.services, { userId: other.id, productId: course.id });
    expect((await media("lesson-1-1", other)).audio?.position).toBeNull();
    await place(7_000, { kind: "video", key: filmKey });
    const { video, audio } = await media();
    expect([video?.position?.positionMs, audio?.position?.positionMs]).toEqual([7_000, 100_000]);
  });

  test("of a page that is somebody else's by now is refused", async () => {
    expect((await place(1000, { userId: newId() })).status).toBe(401);
    expect((await place(1000, { userId: student.id })).status).toBe(200);
  });
});

describe("a position is refused", () => {
  test("signed out, not enrolled, locked, no lesson", async () => {
    expect((await place(1, {}, null)).status).toBe(401);
    expect((await place(1, {}, await createPerson(site.services))).status).toBe(403);
    const admin = await createPerson(site.services, { role: "admin" });
    expect((await place(1, {}, admin)).status).toBe(403);
    const locked = await place(1, { lessonId: lessonOf(course, 1, 0).id });
    expect(await locked.json()).toMatchObject({ error: { code: "locked" } });
    for (const id of ["none", "\0", newId()])
      expect((await place(1, { lessonId: id })).status).toBe(404);
  });

  test("in a file that the lesson does not have", async () => {
    for (const key of ["other/1-sound.mp3", filmKey, "../x"])
      expect((await place(1, { key })).status).toBe(404);
  });

  test("from another site's page", async () => {
    const origin = "https://evil.example";
    const asked = { as: student, method: "PUT", json: {}, origin };
    expect((await site.ask(learn("/position"), asked)).status).toBe(403);
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
    { key: 7 },
    { agoMs: -1 },
    { agoMs: 1e13 },
    { lessonId: 7 },
    { lessonId: "x".repeat(101) },
  ])("malformed: %j", async (wrong) => {
    const response = await place(1000, wrong);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: "invalid" } });
    expect(await positionMs()).toBeNull();
  });

  test.each(["", "{", "null", "7", "[]", "<xml/>"])("no JSON object: %j", async (body) => {
    const response = await site.ask(learn("/position"), { as: student, method: "PUT", body });
    expect(response.status).toBe(400);
  });

  test.each(["POST", "DELETE", "PATCH"])("%s: 405", async (method) => {
    const response = await site.ask(learn("/position"), { as: student, method, json: {} });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("PUT");
  });
});

test("an administrator who is not enrolled sees the media of a lesson, and no place in it", async () => {
  const admin = await createPerson(site.services, { role: "admin" });
  expect((await media("lesson-2-1", admin)).audio?.key).toBe(soundKey);
});

test("a transcript stands on the page as text, whatever is in it", async () => {
  const audioTranscript = "First <b>words</b> & more.\n\nSecond\nwords.";
  await site.services.db.write
    .updateTable("lessons")
    .set({ audioTranscript })
    .where("id", "=", lessonId())
    .execute();
  const html = await page();
  expect(html).toContain("<p>First &lt;b&gt;words&lt;/b&gt; &amp; more.</p><p>Second\nwords.</p>");
});
