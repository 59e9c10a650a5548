import { beforeAll, describe, expect, test } from "vitest";
import { duplicateCourse } from "~/features/courses/create-course.server.ts";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import type { Rendition } from "~/features/lesson-media/films.ts";
import { cleanUpMedia } from "~/features/lesson-media/jobs.server.ts";
import { getPanel } from "~/features/lesson-media/media-panel.server.ts";
import type { PlayableMedia } from "~/features/player/schema.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { lessonOf } from "../../support/journal.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { siteOfFile } from "../../support/site.ts";
import {
  refusalOf,
  sampleFile,
  type Uploading,
  upload,
  uploadingTo,
} from "../../support/uploads.ts";

const site = siteOfFile();
const phone = { "sec-ch-ua-mobile": "?1" };
const iphone = {
  "user-agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile/15E148",
};

/** Files of their own for each edition, told apart by their size. */
const files = { film: "film.mp4", "1080p": "film.m4v", "480p": "mute.mp4", audio: "sound.m4a" };

let course: TestCourse;
let student: Person;
let to: Uploading;
let filmId: string;

const make = (
  rendition: Rendition,
  change: Partial<Uploading> = {},
  name: string = files[rendition],
) =>
  upload(sampleFile(name), {
    ...{ ...to, fileName: name, kind: rendition === "audio" ? "audio" : "video" },
    ...{ made: { rendition, renditionOf: filmId }, ...change },
  });
const ask = (query: string, headers: Record<string, string> = {}, as: Person = student) =>
  site.ask(`/courses/${course.slug}/learn/media?lesson=lesson-1-1${query}`, { as, headers });
async function played(query = "", headers: Record<string, string> = {}) {
  const { video } = (await (await ask(query, headers)).json()) as PlayableMedia;
  const bytes = Buffer.from(await (await site.ask(video?.url ?? "")).arrayBuffer());
  const edition = Object.entries(files).find(([, name]) => bytes.equals(sampleFile(name)))?.[0];
  return { ...video, edition };
}
const rows = () =>
  site.services.db.read
    .selectFrom("mediaFiles")
    .select(["bucket", "key", "rendition", "lessonId"])
    .where("renditionOf", "=", filmId)
    .orderBy("rendition")
    .execute();

beforeAll(async () => {
  const admin = await uploadingTo(site.services, site.url);
  course = await createCourse(site.services, [[{}], [{ dripDay: 7 }]]);
  student = await createPerson(site.services);
  await enroll(site.services, { userId: student.id, productId: course.id });
  const moduleId = course.modules[0]?.id ?? "";
  to = { ...admin, moduleId, lessonId: lessonOf(course, 0, 0).id };
  filmId = await upload(sampleFile(files.film), to);
});

describe("what is made of a film", () => {
  test("is played instead of it, by device and wish, with its key and position", async () => {
    const film = await played();
    expect(film).toMatchObject({ edition: "film", other: null, isSound: false });
    await make("480p");
    await make("audio");
    expect(await played("", { "user-agent": "Mozilla/5.0 (X11; Linux x86_64)" })).toMatchObject({
      edition: "film",
      other: { label: "Listen instead" },
    });
    for (const headers of [phone, iphone, { "save-data": "on" }])
      expect(await played("", headers as Record<string, string>)).toMatchObject({
        edition: "480p",
      });
    expect(await played("", { ...iphone, "sec-ch-ua-mobile": "?0" })).toMatchObject({
      edition: "film",
    });
    const sound = await played("&listen=on", phone);
    expect(sound).toMatchObject({ edition: "audio", kind: "video", key: film.key, isSound: true });
    await make("1080p");
    expect(await played()).toMatchObject({ edition: "1080p", key: film.key });
    const page = await site.ask(`/courses/${course.slug}/learn?lesson=lesson-1-1&listen=on`, {
      as: student,
    });
    const html = await page.text();
    expect(html).toMatch(/<audio[^>]*aria-label="Audio: /);
    expect(html).toContain("Watch the film");
  });

  test("leaves the lesson's own files alone", async () => {
    const panel = await getPanel(site.services, to.lessonId ?? "");
    expect(panel.audio).toMatchObject({ stored: null, uploads: [] });
    expect(panel.video).toMatchObject({
      stored: { fileName: "film.mp4", renditions: expect.arrayContaining(["480p", "audio"]) },
      // A 1080p edition that plays everywhere stands in for a film that does not.
      ...{ uploads: [] },
    });
    expect(panel.video.stored?.warning).toBeNull();
  });

  test("is not for those whose lesson is locked, or who have none", async () => {
    const locked = `/courses/${course.slug}/learn/media?lesson=lesson-2-1&listen=on`;
    expect((await site.ask(locked, { as: student })).status).toBe(403);
    const stranger = await createPerson(site.services);
    expect((await ask("&listen=on", {}, stranger)).status).toBe(403);
    expect((await site.ask(locked)).status).toBe(401);
  });

  test("is replaced by a newer one of its kind", async () => {
    const before = (await rows()).length;
    await make("480p");
    expect(await rows()).toHaveLength(before);
  });

  test("comes with a copied course", async () => {
    const services = { ...site.services, actor: { id: null, name: "A" } };
    const copy = await duplicateCourse(services, { id: course.id, copyId: newId() });
    const lesson = await site.services.db.read
      .selectFrom("lessons")
      .innerJoin("modules", "modules.id", "lessons.moduleId")
      .select("lessons.id")
      .where("modules.productId", "=", copy)
      .where("lessons.muxPlaybackId", "is not", null)
      .executeTakeFirstOrThrow();
    const { stored } = (await getPanel(site.services, lesson.id)).video;
    expect(stored?.renditions).toHaveLength(3);
  });

  test("is refused without its film, and with what it is not", async () => {
    const made = { rendition: "480p", renditionOf: newId() } as const;
    expect(await refusalOf(make("480p", { made }))).toMatchObject({ status: 400 });
    expect(await refusalOf(make("480p", { kind: "audio" }))).toMatchObject({ status: 400 });
    expect(await refusalOf(make("audio", {}, "film.mp4"))).toMatchObject({ status: 400 });
    const ofEdition = { rendition: "480p", renditionOf: await make("480p") } as const;
    expect(await refusalOf(make("480p", { made: ofEdition }))).toMatchObject({ status: 400 });
  });

  test("is deleted after its film", async () => {
    const all = await rows();
    expect(all.length).toBe(3);
    await site.services.db.write
      .updateTable("lessons")
      .set({ muxPlaybackId: null })
      .where("muxPlaybackId", "is not", null)
      .execute();
    // The film is noted first, then what was made of it; each goes seven days after.
    for (const days of [0, 0, 6, 2, 8]) {
      site.clock.forwardDays(days);
      await cleanUpMedia.run(site.services);
    }
    expect(await rows()).toEqual([]);
    for (const { bucket, key } of all)
      expect(await site.services.storage.find(bucket as "course-videos", key)).toBeNull();
  });
});
