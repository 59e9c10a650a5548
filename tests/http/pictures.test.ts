import { beforeAll, describe, expect, test } from "vitest";
import { duplicateCourse } from "~/features/courses/create-course.server.ts";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { cleanUpPictures } from "~/features/pictures/jobs.server.ts";
import { pictureMessages } from "~/features/pictures/messages.ts";
import { setPoster } from "~/features/pictures/pictures.server.ts";
import type { AddedPicture } from "~/features/pictures/schema.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse, type TestCourse } from "../support/courses.ts";
import { lessonForm } from "../support/lessons.ts";
import { createPerson, type Person } from "../support/people.ts";
import { adminOfFile } from "../support/people-of-tests.ts";
import {
  addLessonPicture,
  file,
  photograph,
  pictureForm,
  sendPicture,
} from "../support/pictures.ts";
import { toastOf } from "../support/responses.ts";
import { siteOfFile } from "../support/site.ts";

const site = siteOfFile();
const admin = adminOfFile(site);
let student: Person;
let course: TestCourse;
let photo: Buffer;

beforeAll(async () => {
  photo = await photograph();
});

const lessonIn = (module: number) => {
  const lesson = course.modules[module]?.lessons[0];
  if (!lesson) throw new Error("no lesson");
  return lesson;
};

async function aCourse() {
  student = await createPerson(site.services);
  course = await createCourse(site.services, [[{}], [{ dripDay: 7 }]]);
  await enroll(site.services, { userId: student.id, productId: course.id });
}

async function save({ id, moduleId, slug }: ReturnType<typeof lessonIn>, content: string) {
  const { db } = site.services;
  const { revision, dripDay } = await db.read
    .selectFrom("lessons")
    .select(["revision", "dripDay"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const fields = { revision: String(revision), slug, content, dripDay: String(dripDay) };
  const answer = await site.ask(`/admin/lessons/${id}`, {
    as: admin,
    multipart: lessonForm(moduleId, fields),
  });
  expect(answer.status).toBe(303);
}

/** A picture in the text of a lesson. */
async function shown(module: number, alt = "Hills by the water"): Promise<AddedPicture> {
  const lesson = lessonIn(module);
  const picture = await addLessonPicture(site, admin, lesson.id, photo);
  await save(lesson, `Look:\n\n![${alt}](picture:${picture.id})`);
  return picture;
}

const statusFor = async (as: Person | null, path: string) => (await site.ask(path, { as })).status;

describe("POST /admin/pictures for a lesson", () => {
  test("gives its Markdown, its size and an address that loads", async () => {
    await aCourse();
    const picture = await addLessonPicture(site, admin, lessonIn(0).id, photo);
    expect(picture).toMatchObject({
      line: `![](picture:${picture.id})`,
      src: `/lesson-pictures/${picture.id}-960.webp`,
      ...{ width: 1600, height: 1067 },
    });
    const answer = await site.ask(picture.src, { as: admin });
    expect(answer.headers.get("content-type")).toBe("image/webp");
    expect(answer.headers.get("cache-control")).toBe("private, max-age=3600");
    const known = { "if-none-match": answer.headers.get("etag") ?? "" };
    expect((await site.ask(picture.src, { as: admin, headers: known })).status).toBe(304);
  });

  test("without scripts leads back to the lesson, with the line to copy", async () => {
    const id = lessonIn(0).id;
    const body = pictureForm({ use: "lesson", id, file: file(photo) });
    const answer = await site.ask("/admin/pictures", { as: admin, body });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `/admin/lessons/${id}`]);
    expect(toastOf(answer)?.description).toContain("![](picture:");
  });

  test.each([
    ["no file", {}, 400, pictureMessages.noFile],
    [
      "SVG that is called PNG",
      { file: file(Buffer.from("<svg/>"), "a.png") },
      400,
      "not a picture",
    ],
    ["no lesson", { id: "x" }, 400, pictureMessages.unclear],
    ["more than 20 MB", { file: file(new Uint8Array(20.5e6)) }, 413, "larger than 20 MB"],
    ["more than the address takes", { file: file(new Uint8Array(22e6)) }, 413, "more than"],
  ])("refuses %s, with what to do", async (_, fields, status, words) => {
    const answer = await sendPicture(site, admin, { use: "lesson", id: newId(), ...fields });
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain(words);
  });

  test("refuses more than a small body of anyone else before reading it", async () => {
    const fields = { use: "lesson", id: newId(), file: file(new Uint8Array(300_000)) };
    expect((await sendPicture(site, student, fields)).status).toBe(413);
    expect((await sendPicture(site, null, fields)).status).toBe(413);
  });
});

describe("GET /lesson-pictures/{name}", () => {
  test("is for those who may read the lesson", async () => {
    await aCourse();
    const [open, locked] = [await shown(0), await shown(1)];
    const other = await createPerson(site.services);
    const unused = await addLessonPicture(site, admin, lessonIn(0).id, await photograph(20));
    const asked = async (as: Person | null) => [
      await statusFor(as, open.src),
      await statusFor(as, locked.src),
      await statusFor(as, unused.src),
    ];
    expect(await asked(null)).toEqual([401, 401, 401]);
    expect(await asked(other)).toEqual([403, 403, 404]);
    expect(await asked(student)).toEqual([200, 403, 404]);
    expect(await asked(admin)).toEqual([200, 200, 200]);
    site.clock.forward(8 * 24 * 3600_000);
    expect(await statusFor(await freshly(student), locked.src)).toBe(200);
  });

  test("ends with the lesson's use of it, and with the lesson", async () => {
    await aCourse();
    const picture = await shown(0);
    await save(lessonIn(0), "No picture any more.");
    expect(await statusFor(student, picture.src)).toBe(404);
    await save(lessonIn(0), `![](picture:${picture.id})`);
    expect(await statusFor(student, picture.src)).toBe(200);
    await site.ask(`/admin/lessons/${lessonIn(0).id}`, { as: admin, form: { intent: "delete" } });
    expect(await statusFor(student, picture.src)).toBe(404);
  });

  test("gives the next larger width, and a small picture as it is", async () => {
    await aCourse();
    const { id } = await shown(0);
    const [at961, at1600] = [961, 1600].map((width) => `/lesson-pictures/${id}-${width}.webp`);
    const bytes = async (path = "") => (await site.ask(path, { as: student })).arrayBuffer();
    expect(Buffer.from(await bytes(at961)).equals(Buffer.from(await bytes(at1600)))).toBe(true);
    const tiny = await photograph(200, 60, 40);
    const { id: small } = await addLessonPicture(site, admin, lessonIn(0).id, tiny);
    expect(await statusFor(admin, `/lesson-pictures/${small}-480.webp`)).toBe(200);
  });

  test("knows no other names", async () => {
    await aCourse();
    const { id } = await shown(0);
    for (const name of [`${id}-48000.webp`, `${id}-480.jpg`, `${id}-480.webp%2f..`, id, "x"])
      expect(await statusFor(student, `/lesson-pictures/${name}`)).toBe(404);
  });

  test("a copied course, and a text copied to another lesson, show the same pictures", async () => {
    await aCourse();
    const picture = await shown(1);
    await save(lessonIn(0), `![](picture:${picture.id})`);
    expect(await statusFor(student, picture.src)).toBe(200);
    const copyId = await duplicateCourse(site.services, { id: course.id, copyId: newId() });
    const other = await createPerson(site.services);
    await enroll(site.services, { userId: other.id, productId: copyId });
    expect(await statusFor(other, picture.src)).toBe(200);
  });
});

test("a lesson is not saved while its text waits for a picture", async () => {
  await aCourse();
  const { id, moduleId } = lessonIn(0);
  const content = `![water \\[1\\].jpg](picture:uploading-${newId()})`;
  const answer = await site.ask(`/admin/lessons/${id}`, {
    as: admin,
    multipart: lessonForm(moduleId, { content }),
  });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("The picture “water [1].jpg” has not arrived.");
});

describe("a lesson's page", () => {
  test("has its pictures with their size, at three widths, and as nothing worse", async () => {
    await aCourse();
    const picture = await shown(0, 'x" onerror="alert(1)');
    const page = await site.ask(`/courses/${course.slug}/learn?lesson=lesson-1-1`, { as: student });
    const [image = ""] = /<img[^>]*lesson-pictures[^>]*>/.exec(await page.text()) ?? [];
    const name = `/lesson-pictures/${picture.id}`;
    expect(image).toContain(
      `${name}-480.webp 480w, ${name}-960.webp 960w, ${name}-1600.webp 1600w`,
    );
    for (const part of ['width="1600"', 'height="1067"', 'loading="lazy"', 'decoding="async"'])
      expect(image).toContain(part);
    expect(image).toMatch(/alt="x[^"]*onerror[^"]*"/);
  });

  test("says in the place of an unknown picture what it showed", async () => {
    await aCourse();
    await save(lessonIn(0), `![A lamp](picture:${newId()}) ![](picture:x)`);
    const page = await site.ask(`/courses/${course.slug}/learn?lesson=lesson-1-1`, { as: student });
    const html = await page.text();
    expect(html).toContain("[A lamp]");
    expect(html).not.toContain('src="picture:');
  });
});

const cover = (fields: Record<string, string | File>) =>
  sendPicture(site, admin, { use: "cover", id: course.id, intent: "set", ...fields });

describe("the cover of a course", () => {
  test("is on the public pages at once, for good in caches, and where pages are shared", async () => {
    await aCourse();
    const pageBefore = await (await site.ask(`/courses/${course.slug}`)).text();
    expect(pageBefore).toContain("/share/courses.png");
    expect((await cover({ file: file(photo), alt: " Hills  “at dusk” " })).status).toBe(200);
    for (const path of ["/courses", `/courses/${course.slug}`]) {
      // The page cache looks every second.
      await expect
        .poll(async () => (await site.ask(path)).text(), { timeout: 5000 })
        .toContain('alt="Hills “at dusk”"');
    }
    const page = await (await site.ask(`/courses/${course.slug}`)).text();
    const [src = ""] = /\/pictures\/[\da-f]{32}-960\.webp/.exec(page) ?? [];
    const picture = await site.ask(src);
    expect(picture.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(picture.headers.get("content-type")).toBe("image/webp");
    expect((await picture.bytes()).length).toBe(Number(picture.headers.get("content-length")));
    const [card = ""] = /\/pictures\/[\da-f]{32}-card\.jpg/.exec(page) ?? [];
    const shared = await site.ask(card);
    expect(shared.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect(page).toContain('property="og:image:type" content="image/jpeg"');
    const known = { "if-none-match": picture.headers.get("etag") ?? "" };
    expect((await site.ask(src, { headers: known })).status).toBe(304);
    expect((await site.ask(src, { method: "HEAD" })).status).toBe(200);
    expect(await statusFor(null, src.replace("-960", "-961"))).toBe(404);
    expect(await statusFor(null, src.replace(/-960.*/, "-card.png"))).toBe(404);
    expect(await statusFor(null, "/pictures/ten-past-four.svg")).toBe(200);
    const mine = await (await site.ask("/my-courses", { as: student })).text();
    expect(mine).toContain(src);
  });

  test("is described without being sent again, and goes when it is removed", async () => {
    await cover({ intent: "describe", alt: "Water" });
    const page = async () => (await site.ask(`/courses/${course.slug}`)).text();
    await expect.poll(page, { timeout: 5000 }).toContain('alt="Water"');
    await cover({ intent: "remove" });
    await expect.poll(page, { timeout: 5000 }).toContain("/share/courses.png");
    expect((await cover({ intent: "describe", alt: "x" })).status).toBe(404);
    expect((await cover({ id: newId(), file: file(photo) })).status).toBe(404);
  });
});

test("the portrait takes the place of the drawing until it is removed", async () => {
  const page = async () => (await site.ask("/about")).text();
  expect(await page()).toContain("ten-past-four.svg");
  await sendPicture(site, admin, { use: "portrait", intent: "set", file: file(photo) });
  await expect.poll(page, { timeout: 5000 }).not.toContain("ten-past-four.svg");
  expect(await page()).toMatch(/<img[^>]*\/pictures\/[\da-f]{32}-960\.webp[^>]*alt="Portrait of/);
  await sendPicture(site, admin, { use: "portrait", intent: "remove" });
  await expect.poll(page, { timeout: 5000 }).toContain("ten-past-four.svg");
});

test("a poster is set before its lesson is saved, and students get it", async () => {
  await aCourse();
  const { id } = lessonIn(0);
  const key = `${newId()}/1-film.mp4`;
  await site.services.db.write
    .updateTable("lessons")
    .set({ muxPlaybackId: key })
    .where("id", "=", id)
    .execute();
  await sendPicture(site, admin, { use: "poster", intent: "set", id, file: file(photo) });
  const panel = await (
    await site.ask(`/admin/lessons/${id}/media`, {
      as: admin,
      headers: { accept: "application/json" },
    })
  ).json();
  expect(await statusFor(student, (panel as { poster: { src: string } }).poster.src)).toBe(200);
  await sendPicture(site, admin, { use: "poster", intent: "remove", id });
  expect(await statusFor(student, (panel as { poster: { src: string } }).poster.src)).toBe(404);
});

test("of two posters that are set at once, one stays", async () => {
  await aCourse();
  const { id: lessonId } = lessonIn(0);
  const two = [await anotherPicture(10), await anotherPicture(20)];
  await Promise.all(two.map(({ id }) => setPoster(site.services, { lessonId, pictureId: id })));
  const uses = site.services.db.write.selectFrom("pictureUses").selectAll();
  expect(await uses.where("lessonId", "=", lessonId).execute()).toHaveLength(1);
});

describe("pictures.tidy", () => {
  test("leaves a cover whose file is uploaded again while an old one goes", async () => {
    await aCourse();
    const { services } = site;
    const bytes = await photograph(310);
    expect((await cover({ file: file(bytes) })).status).toBe(200);
    await cover({ intent: "remove" });
    await cleanUpPictures.run(services);
    site.clock.forward(31 * 24 * 3600_000);
    await freshly(admin);
    const { storage } = services;
    let again: Promise<Response> | undefined;
    const slow = {
      ...storage,
      async remove(...which: Parameters<typeof storage.remove>) {
        again ??= freshly(admin).then((as) =>
          sendPicture(site, as, { use: "cover", id: course.id, intent: "set", file: file(bytes) }),
        );
        await again;
        await storage.remove(...which);
      },
    };
    await cleanUpPictures.run({ ...services, storage: slow });
    expect((await again)?.status).toBe(200);
    const page = await (
      await site.ask(`/admin/courses/${course.id}`, { as: await freshly(admin) })
    ).text();
    const [src = "/"] = /\/pictures\/[\da-f]{32}-960\.webp/.exec(page) ?? [];
    expect(await statusFor(null, src)).toBe(200);
  });

  test("deletes after 30 days what nothing uses, and nothing else", async () => {
    await aCourse();
    const { services } = site;
    const days = (n: number) => site.clock.forward(n * 24 * 3600_000);
    const inText = await shown(0);
    const [inDraft, unused] = [await anotherPicture(40), await anotherPicture(80)];
    await cover({ file: file(await photograph(120)) });
    const draft = { kind: "lesson" as const, userId: admin.id, lessonId: lessonIn(1).id };
    await services.db.write
      .insertInto("drafts")
      .values({
        ...draft,
        ...{ id: newId(), content: JSON.stringify({ content: inDraft.line }) },
        ...{ baseRevision: 1, revision: 1 },
        ...{ createdAt: services.clock.now(), updatedAt: services.clock.now() },
      })
      .execute();
    const ids = async () =>
      (await services.db.read.selectFrom("pictures").select("id").execute()).map(({ id }) => id);
    await cleanUpPictures.run(services);
    days(29);
    await cleanUpPictures.run(services);
    const own = [inText.id, inDraft.id, unused.id];
    expect(await ids()).toEqual(expect.arrayContaining(own));
    days(2);
    await cleanUpPictures.run(services);
    const now = await ids();
    expect(now).toEqual(expect.arrayContaining([inText.id, inDraft.id]));
    expect(now).not.toContain(unused.id);
    expect(await services.storage.find("pictures", `lesson/${unused.id}-480.webp`)).toBeNull();
    expect(await services.storage.find("pictures", `lesson/${inText.id}-480.webp`)).not.toBeNull();
    // A deleted lesson can be restored for a while, and then no longer.
    await services.db.write
      .updateTable("lessons")
      .set({ deletedAt: services.clock.now() })
      .where("id", "=", lessonIn(0).id)
      .execute();
    days(29);
    await cleanUpPictures.run(services);
    expect(await ids()).toContain(inText.id);
    days(2);
    await cleanUpPictures.run(services);
    days(31);
    await cleanUpPictures.run(services);
    expect(await ids()).not.toContain(inText.id);
  });
});

const anotherPicture = async (hue: number) =>
  addLessonPicture(site, await freshly(admin), lessonIn(0).id, await photograph(hue));
const freshly = async (person: Person): Promise<Person> => ({
  ...person,
  cookie: await site.cookieOf(person),
});
