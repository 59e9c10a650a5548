import { createPerson } from "../support/people.ts";
import { filmOf, sampleFile } from "../support/uploads.ts";
import {
  aLesson,
  chooser,
  fileNamed,
  haltedAt,
  longFilm,
  mediaPart,
  openLesson,
  shortFilm,
  test,
} from "./support/media.ts";
import { look } from "./support/screen.ts";
import { expect } from "./support/test.ts";

const atNight = { night: true };

test("a video is uploaded, paused, gone on with, replaced and removed", async ({
  site,
  gate,
  device,
  watch,
}) => {
  const admin = await createPerson(site.services, { role: "admin", name: "Nora Hale" });
  const lesson = await aLesson(site.services);
  watch.expect(/^failed: PATCH .* net::ERR_ABORTED$/);
  const page = await device({ as: admin });
  await openLesson(page, gate.url + lesson.path);
  const video = mediaPart(page, "Video");
  await look(page, "media-empty", atNight);

  gate.hold(9_000_000);
  await chooser(page, "Video").setInputFiles(longFilm());
  await haltedAt(video, gate);
  await look(page, "media-uploading", atNight);
  await video.getByRole("button", { name: "Pause" }).click();
  await expect(video.getByText("Paused")).toBeVisible();
  await look(page, "media-paused");

  gate.open();
  await video.getByRole("button", { name: "Resume" }).click();
  await expect(video.getByText("0:01 · 24 MB")).toBeVisible();
  await expect(video.getByText("No captions yet")).toBeVisible();
  await look(page, "media-ready", atNight);
  await video.getByText("Watch it here").click();
  await expect(video.getByLabel("grief.mp4")).toHaveJSProperty("readyState", 4);

  await video.getByRole("button", { name: "Replace" }).click();
  await chooser(page, "Video").setInputFiles(shortFilm("new.mp4"));
  await expect(video.getByText("new.mp4", { exact: true })).toBeVisible();
  await expect(video.getByText("grief.mp4", { exact: true })).toBeHidden();
  await video.getByRole("button", { name: "Remove", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Remove the video?" });
  await expect(question).toContainText("Students no longer see new.mp4.");
  await look(page, "media-remove", atNight);
  await question.getByRole("button", { name: "Remove" }).click();
  await expect(chooser(page, "Video")).toBeVisible();
  await expect(video.getByRole("heading", { name: "Video" })).toBeFocused();
});

test("a file that another tab has put there is not removed unseen", async ({
  site,
  device,
  watch,
}) => {
  const admin = await createPerson(site.services, { role: "admin", name: "Nora Hale" });
  const lesson = await aLesson(site.services);
  const [page, other] = [await device({ as: admin }), await device({ as: admin })];
  await openLesson(page, lesson.path);
  const video = mediaPart(page, "Video");
  await chooser(page, "Video").setInputFiles(shortFilm("old.mp4"));
  await expect(video.getByRole("button", { name: "Replace" })).toBeVisible();
  await openLesson(other, lesson.path);
  const there = mediaPart(other, "Video");
  await there.getByRole("button", { name: "Replace" }).click();
  await chooser(other, "Video").setInputFiles(shortFilm("new.mp4"));
  await expect(there.getByText("old.mp4", { exact: true })).toBeHidden();

  watch.expect(/^answer 409: POST .*\/media$/);
  await video.getByRole("button", { name: "Remove", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Remove the video?" });
  const remove = question.getByRole("button", { name: "Remove" });
  await remove.click();
  await expect(question.getByRole("alert")).toContainText("There is another file by now");
  await expect(question).toContainText("Students no longer see old.mp4.");
  await look(page, "media-remove-refused", atNight);
  await question.getByRole("button", { name: "Keep" }).click();
  await expect(video.getByText("new.mp4", { exact: true })).toBeVisible();
  await expect(video.getByText("old.mp4", { exact: true })).toBeHidden();
  await video.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(question).toContainText("Students no longer see new.mp4.");
  await expect(question.getByRole("alert")).toBeHidden();
  await remove.click();
  await expect(chooser(page, "Video")).toBeVisible();
});

test("while a video is uploaded, the lesson is saved and the admin used", async ({
  site,
  gate,
  device,
}) => {
  const admin = await createPerson(site.services, { role: "admin", name: "Nora Hale" });
  const lesson = await aLesson(site.services);
  const page = await device({ as: admin });
  await openLesson(page, gate.url + lesson.path);
  gate.hold(9_000_000);
  await chooser(page, "Video").setInputFiles(longFilm());
  await haltedAt(mediaPart(page, "Video"), gate);

  await page.getByLabel("Title").fill("Another title");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Lesson updated successfully")).toBeVisible();
  await expect(mediaPart(page, "Video").getByText("Uploading", { exact: true })).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue("Another title");

  await page.getByRole("link", { name: "Enrollments" }).click();
  const elsewhere = page.getByRole("complementary", { name: "Uploads" });
  await expect(elsewhere).toContainText(/^Uploading grief\.mp4, \d\d %$/);
  await look(page, "media-elsewhere", atNight);

  // The tab is not closed without a question.
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  expect((await asked).type()).toBe("beforeunload");
  await (await asked).dismiss();

  gate.open();
  await expect(elsewhere).toContainText("grief.mp4 is uploaded");
  await elsewhere.getByRole("link").click();
  await expect(mediaPart(page, "Video").getByText("0:01 · 24 MB")).toBeVisible();
  await expect(elsewhere).toBeHidden();
});

test("an audio is uploaded for a lesson that is not saved yet, once it has a module", async ({
  site,
  device,
}) => {
  const admin = await createPerson(site.services, { role: "admin", name: "Nora Hale" });
  const page = await device({ as: admin });
  await openLesson(page, "/admin/lessons/new");
  const audio = mediaPart(page, "Audio");
  await expect(chooser(page, "Audio")).toBeDisabled();
  await expect(audio.getByText("Choose a module first.")).toBeVisible();
  await look(page, "media-new", { night: true });
  await page.getByLabel("Module").selectOption({ index: 1 });
  await chooser(page, "Audio").setInputFiles("content/media/breathing.m4a");
  await expect(audio.getByText("690 KB", { exact: false })).toBeVisible();
  await expect(audio.getByText(/^Save the lesson first/)).toBeVisible();
  await page.getByLabel("Title").fill("A lesson to listen to");
  await expect(page.getByLabel("Slug")).toHaveValue("a-lesson-to-listen-to");
  await page.getByRole("button", { name: "Create lesson" }).click();
  await expect(page.getByText("Lesson created successfully")).toBeVisible();
  await expect(audio.getByText("breathing.m4a", { exact: true })).toBeVisible();
  await expect(audio.getByText("No transcript yet")).toBeVisible();
});

test.describe("what is not taken", () => {
  test.use({ settings: { UPLOAD_LIMIT_GB: "0.01" } });

  test("is told plainly, and another file can be chosen", async ({ site, device, watch }) => {
    const admin = await createPerson(site.services, { role: "admin", name: "Nora Hale" });
    const lesson = await aLesson(site.services);
    const page = await device({ as: admin });
    await openLesson(page, lesson.path);
    const video = mediaPart(page, "Video");

    await chooser(page, "Video").setInputFiles(fileNamed("notes.txt", "Dear Anna"));
    await expect(video.getByText("Choose an MP4, M4V, MOV or WebM file.")).toBeVisible();
    await chooser(page, "Video").setInputFiles(fileNamed("empty.mp4", ""));
    await expect(video.getByText("This file is empty. Choose another one.")).toBeVisible();
    await chooser(page, "Video").setInputFiles(fileNamed("long.mp4", filmOf(11_000_000)));
    await expect(
      video.getByText("This file is too large (11 MB). Up to 10 MB can be uploaded."),
    ).toBeVisible();
    await look(page, "media-too-large");

    watch.expect(/^answer 400: PATCH \/uploads\//);
    const html = "<!doctype html><title>x</title><script>alert(1)</script>";
    const bad = `<img src=x onerror=alert(1)>"'&.mp4`;
    await chooser(page, "Video").setInputFiles(fileNamed(bad, html));
    await expect(video.getByText(`${bad} was not taken`)).toBeVisible();
    await expect(video.getByText("This is not a video")).toBeVisible();
    await look(page, "media-refused", atNight);
    await page.reload();
    await expect(video.getByText(`${bad} was not taken`)).toBeVisible();
    await expect(video.getByText("This is not a video")).toBeVisible();

    await chooser(page, "Video").setInputFiles(fileNamed(bad, sampleFile("film.mp4")));
    await expect(video.getByText(bad, { exact: true })).toBeVisible();
    await expect(video.getByText("was not taken")).toBeHidden();
    await expect(page.locator("img[src=x]")).toHaveCount(0);
  });
});
