import { cookieOf } from "../support/people.ts";
import { filmOf, sampleFile, unfinish, upload } from "../support/uploads.ts";
import { createCoach } from "./support/lessons.ts";
import {
  aLesson,
  chooser,
  fileNamed,
  fillDisk,
  haltedAt,
  longFilm,
  mediaPart,
  openLesson,
  shortFilm,
  test,
} from "./support/media.ts";
import { look } from "./support/screen.ts";
import { expect } from "./support/test.ts";

test.use({ siteKind: "shared" });

const checking = "All of it has arrived. The site is checking it.";

test("a lesson's video is uploaded while the admin area is used, replaced and removed", async ({
  site,
  gate,
  device,
  watch,
}) => {
  watch.expect(/^failed: PATCH .* net::ERR_/, /^answer 409: POST .*\/media$/);
  watch.expect(/^answer 423: HEAD /);
  const coach = await createCoach(site.services);
  const lesson = await aLesson(site.services);
  const page = await device({ as: coach });
  const video = mediaPart(page, "Video");
  await openLesson(page, gate.url + lesson.path);

  await test.step("an upload shows how much of it is left, pauses and resumes", async () => {
    gate.trickle(3_000_000);
    await chooser(page, "Video").setInputFiles(longFilm());
    await expect(
      video.getByText(/^\d+ % of 24 MB, (a few seconds|less than a minute|about .+) left$/),
    ).toBeVisible();
    gate.hold(1);
    await expect(video.getByText(/^\d+ % of 24 MB$/)).toBeVisible();
    await expect(video.getByText("Uploading", { exact: true })).toBeVisible();
    await video.getByRole("button", { name: "Pause" }).click();
    await expect(video.getByText("Paused")).toBeVisible();
    gate.hold(4_000_000);
    await video.getByRole("button", { name: "Resume" }).click();
    await haltedAt(video, gate);
    await look(page, "media-uploading", { widths: [1280] });
  });

  await test.step("meanwhile the lesson is saved and other pages are used", async () => {
    await page.getByLabel("Title").fill("Another title");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText("Lesson updated successfully")).toBeVisible();
    await expect(video.getByText("Uploading", { exact: true })).toBeVisible();
    await page.getByRole("link", { name: "Enrollments" }).click();
    const elsewhere = page.getByRole("complementary", { name: "Uploads" });
    await expect(elsewhere).toContainText(/^Uploading grief\.mp4, \d\d %$/);
    // The panel sticks to the lower edge, over the list; below its last row there is room for it.
    await page.setViewportSize({ width: 360, height: 800 });
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await look(page, "media-elsewhere", { widths: [360] });
    await page.setViewportSize({ width: 1280, height: 800 });

    const asked = page.waitForEvent("dialog");
    await page.close({ runBeforeUnload: true });
    expect((await asked).type()).toBe("beforeunload");
    await (await asked).dismiss();

    gate.open();
    await expect(elsewhere).toContainText("grief.mp4 is uploaded");
    await elsewhere.getByRole("link").click();
    await expect(video.getByText("0:01 · 24 MB")).toBeVisible();
    await expect(video.getByText(/ left$/)).toHaveCount(0);
    await expect(elsewhere).toBeHidden();
    await video.getByText("Watch it here").click();
    await expect(video.getByLabel("grief.mp4")).toHaveJSProperty("readyState", 4);
  });

  await test.step("an upload that had arrived when the site was stopped is checked", async () => {
    const files = site.services.db.read.selectFrom("mediaFiles").where("lessonId", "=", lesson.id);
    const { id } = await files.select("id").executeTakeFirstOrThrow();
    await unfinish(site.services, id);
    const answer = Promise.withResolvers<void>();
    const panel = "**/admin/lessons/*/media";
    await page.route(panel, (route) => answer.promise.then(() => route.continue()));
    await page.goto(gate.url + lesson.path);
    await expect(video.getByText(checking)).toBeVisible();
    await expect(chooser(page, "Video")).toBeHidden();
    answer.resolve();
    await expect(video.getByText("0:01 · 24 MB")).toBeVisible();
    await expect(video.getByText(checking)).toBeHidden();
    await page.unroute(panel);
  });

  const remove = video.getByRole("button", { name: "Remove", exact: true });
  const question = page.getByRole("dialog", { name: "Remove the video?" });

  await test.step("a file that another admin has put there is not removed unseen", async () => {
    const cookie = await cookieOf(site.services, coach.id);
    const to = { url: site.url, origin: site.url, cookie, moduleId: lesson.moduleId };
    await upload(sampleFile("film.mp4"), { ...to, lessonId: lesson.id, fileName: "new.mp4" });
    await remove.click();
    await expect(question).toContainText("Students no longer see grief.mp4.");
    await question.getByRole("button", { name: "Remove" }).click();
    await expect(question.getByRole("alert")).toContainText("There is another file by now");
    await look(page, "media-remove-refused", { widths: [360] });
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect(video.getByText("new.mp4", { exact: true })).toBeVisible();
    await expect(video.getByText("grief.mp4", { exact: true })).toBeHidden();
  });

  await test.step("the file is replaced, though the site is busy at the end, then removed", async () => {
    await video.getByRole("button", { name: "Replace" }).click();
    gate.hold(100_000);
    await chooser(page, "Video").setInputFiles(fileNamed("newest.mp4", filmOf(1_000_000)));
    await expect(video.getByText(checking)).toBeVisible();
    const uploads = "**/uploads/*";
    await page.route(uploads, (route) => route.fulfill({ status: 423 }));
    const busy = page.waitForResponse((answer) => answer.status() === 423);
    gate.cut();
    await busy;
    await expect(video.getByText(checking)).toBeVisible();
    gate.open();
    gate.mend();
    await page.unroute(uploads);
    await expect(video.getByText("newest.mp4", { exact: true })).toBeVisible();
    await expect(video.getByText("new.mp4", { exact: true })).toBeHidden();
    await expect(video.getByText("Uploading")).toBeHidden();
    await remove.click();
    await expect(question).toContainText("Students no longer see newest.mp4.");
    await expect(question.getByRole("alert")).toBeHidden();
    await question.getByRole("button", { name: "Remove" }).click();
    await expect(chooser(page, "Video")).toBeVisible();
    await expect(video.getByRole("heading", { name: "Video" })).toBeFocused();
  });
});

test("the upload panel says why it does not take a file, and takes another one", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: PATCH \/uploads\//, /^answer 507: POST \/uploads$/);
  const coach = await createCoach(site.services);
  const lesson = await aLesson(site.services);
  const page = await device({ as: coach });
  const video = mediaPart(page, "Video");
  const bad = `<img src=x onerror=alert(1)>"'&.mp4`;
  await openLesson(page, lesson.path);

  await test.step("a file that is not a video", async () => {
    await chooser(page, "Video").setInputFiles(fileNamed("notes.txt", "Dear Anna"));
    await expect(video.getByText("Choose an MP4, M4V, MOV or WebM file.")).toBeVisible();
    const html = "<!doctype html><title>x</title><script>alert(1)</script>";
    await chooser(page, "Video").setInputFiles(fileNamed(bad, html));
    await expect(video.getByText("What it is made of cannot be read.")).toBeVisible();
    await video.getByRole("button", { name: "Upload it as it is" }).click();
    await expect(video.getByText(`${bad} was not taken`)).toBeVisible();
    await expect(video.getByText("This is not a video")).toBeVisible();
    await page.reload();
    await expect(video.getByText(`${bad} was not taken`)).toBeVisible();
    await expect(video.getByText("This is not a video")).toBeVisible();
    await look(page, "media-refused", { widths: [360], night: true });
  });

  await test.step("a full disk", async () => {
    const makeRoom = await fillDisk(site.services, coach);
    await chooser(page, "Video").setInputFiles(shortFilm());
    await expect(video.getByText("film.mp4 was not taken")).toBeVisible();
    await expect(video.getByText(/^The disk of the site is full\./)).toBeVisible();
    await makeRoom();
    await chooser(page, "Video").setInputFiles(fileNamed(bad, sampleFile("film.mp4")));
    await expect(video.getByRole("button", { name: "Replace" })).toBeVisible();
    await expect(video.getByText(bad, { exact: true })).toBeVisible();
    await expect(video.getByText("was not taken")).toBeHidden();
    await expect(page.locator("img[src=x]")).toHaveCount(0);
  });

  await test.step("an audio for a lesson without a module yet", async () => {
    const audio = mediaPart(page, "Audio");
    await openLesson(page, "/admin/lessons/new");
    await expect(chooser(page, "Audio")).toBeDisabled();
    await expect(audio.getByText("Choose a module first.")).toBeVisible();
    await look(page, "media-new", { widths: [360] });
    await page.getByLabel("Module").selectOption(lesson.moduleId);
    await chooser(page, "Audio").setInputFiles("content/media/breathing.m4a");
    await expect(audio.getByText("690 KB", { exact: false })).toBeVisible();
    await expect(audio.getByText(/^Save the lesson first/)).toBeVisible();
    await page.getByLabel("Title").fill("A lesson to listen to");
    await page.getByRole("button", { name: "Create lesson" }).click();
    await expect(page.getByText("Lesson created successfully")).toBeVisible();
    await expect(audio.getByText("breathing.m4a", { exact: true })).toBeVisible();
    await expect(audio.getByText("No transcript yet")).toBeVisible();
    await audio.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await expect(audio.getByRole("status").filter({ hasText: "Audio removed" })).toHaveCount(1);
  });
});
