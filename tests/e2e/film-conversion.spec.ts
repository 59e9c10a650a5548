import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { createPerson } from "../support/people.ts";
import { sampleFile } from "../support/uploads.ts";
import { createCoach } from "./support/lessons.ts";
import { aLesson, chooser, fileNamed, mediaPart, openLesson, test } from "./support/media.ts";
import { look } from "./support/screen.ts";
import { expect } from "./support/test.ts";

test.use({ siteKind: "shared" });

test("a film that does not play everywhere is explained, converted in the browser and played", async ({
  site,
  device,
}) => {
  const { services } = site;
  const coach = await createCoach(services);
  const lesson = await aLesson(services);
  const page = await device({ as: coach });
  const video = mediaPart(page, "Video");
  const choose = (name: string) =>
    chooser(page, "Video").setInputFiles(fileNamed(name, sampleFile(name)));
  await openLesson(page, lesson.path);

  await test.step("what this browser cannot convert is the coach's choice", async () => {
    await choose("hevc.mov");
    await expect(video.getByText("HEVC video, 180p", { exact: false })).toBeVisible();
    await expect(video.getByText("it may stay black on some devices")).toBeVisible();
    await expect(video.getByRole("button", { name: "Make it play everywhere" })).toHaveCount(0);
    await look(page, "film-cannot-convert", { widths: [360], night: true });
    await video.getByRole("button", { name: "Upload it as it is" }).click();
    await expect(video.getByText("cannot show this film (HEVC)")).toBeVisible();
    await look(page, "film-warning", { widths: [360, 1280] });
    await video.getByRole("button", { name: "Replace" }).click();
  });

  await test.step("a 4K film becomes one of 1080p, a small one and its sound", async () => {
    await choose("uhd.mp4");
    await expect(video.getByText("H.264 video, 4K", { exact: false })).toBeVisible();
    await look(page, "film-offer", { widths: [360, 1280] });
    await video.getByRole("button", { name: "Make it play everywhere" }).click();
    await expect(video.getByText("H.264 video, 1080p", { exact: false })).toBeVisible({
      timeout: 60_000,
    });
    const made = () =>
      services.db.read
        .selectFrom("mediaFiles as film")
        .innerJoin("mediaFiles as made", "made.renditionOf", "film.id")
        .select(["made.rendition", "made.height", "film.key"])
        .where("film.lessonId", "=", lesson.id)
        .orderBy("made.rendition")
        .execute();
    await expect
      .poll(made)
      .toMatchObject([{ rendition: "480p", height: 480 }, { rendition: "audio" }]);
    const posters = services.db.read.selectFrom("pictureUses").select("what");
    expect(await posters.where("lessonId", "=", lesson.id).execute()).toEqual([{ what: "poster" }]);
    await expect(video.getByRole("img")).toHaveCount(1);
    const key = (await made())[0]?.key ?? "";
    const file = await services.storage.open("course-videos", key);
    const head = Buffer.from((await file?.read(0, 60)) ?? []).toString("latin1");
    await file?.close();
    // Its index comes first, so that it plays while it loads.
    expect(head).toMatch(/^....ftyp.*moov/s);
  });

  await test.step("students listen instead, and go on where they were", async () => {
    const student = await createPerson(services);
    const course = await services.db.read
      .selectFrom("modules")
      .innerJoin("products", "products.id", "modules.productId")
      .select(["products.id", "products.slug"])
      .where("modules.id", "=", lesson.moduleId)
      .executeTakeFirstOrThrow();
    await enroll(services, { userId: student.id, productId: course.id });
    const learning = await device({ as: student });
    await learning.goto(`/courses/${course.slug}/learn`);
    await expect(learning.locator("video")).toHaveJSProperty("readyState", 4);
    await look(learning, "film-listen", { widths: [360, 1280] });
    const listen = learning.getByRole("link", { name: "Listen instead" });
    await listen.focus();
    await listen.press("Enter");
    await expect(learning.locator("audio")).toHaveJSProperty("readyState", 4);
    await expect(learning.locator("video")).toHaveCount(0);
    const watch = learning.getByRole("link", { name: "Watch the film" });
    await expect(watch).toBeFocused();
    await look(learning, "film-listening", { widths: [360], night: true });
    await watch.press("Enter");
    await expect(learning.locator("video")).toHaveJSProperty("videoHeight", 1080);
  });
});
