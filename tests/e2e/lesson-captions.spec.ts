import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { tabTo } from "./support/keyboard.ts";
import { createCoach } from "./support/lessons.ts";
import { aLesson, chooser, fileNamed, mediaPart, openLesson, shortFilm } from "./support/media.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

const vtt =
  "WEBVTT\n\n00:00.000 --> 00:00.500\nGood morning.\n\n00:00.500 --> 00:01.000\nSit down.\n";
const srt = "1\n00:00:00,000 --> 00:00:01,000\nGood <i>evening</i>.\n";

/** A course link of the admin area, which asks first when something is not saved. */
const leave = (page: Page) =>
  page.getByRole("navigation", { name: "Admin" }).getByRole("link", { name: "Courses" }).click();
const stay = (page: Page) => page.getByRole("button", { name: "Cancel" }).click();

test("captions are added, refused, replaced and removed, also after a change elsewhere", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST .*\/captions$/, /^answer 409: POST .*\/captions$/);
  const lesson = await aLesson(site.services, { video: true });
  const coach = await createCoach(site.services);
  const page = await device({ as: coach });
  const video = mediaPart(page, "Video");
  const file = video.getByLabel("Captions file");
  const pasted = video.getByLabel("Or paste the captions here");
  const save = video.getByRole("button", { name: "Save captions" });
  const heading = (name: string) => expect(video.getByRole("heading", { name })).toBeVisible();
  await openLesson(page, lesson.path);

  await test.step("from files: a wrong line is named, SubRip is converted", async () => {
    await expect(video.getByText("Captions help them.")).toBeVisible();
    await video.getByText("Add captions").click();
    await file.setInputFiles(fileNamed("bad.vtt", vtt.replace("00:00.500 -->", "half -->")));
    await save.click();
    await expect(video.getByText(/^Line 6: this time cannot be read/)).toBeVisible();
    await expect(file).toBeFocused();
    await file.setInputFiles(fileNamed("good.vtt", vtt));
    await save.click();
    await heading("Captions: 2 lines");
    await video.getByText("Replace them").click();
    await file.setInputFiles(fileNamed("evening.srt", srt));
    await save.click();
    await heading("Captions: 1 line");
    await expect(video.getByText("They were in the SubRip format")).toBeVisible();
    const download = page.waitForEvent("download");
    await video.getByRole("link", { name: "Download" }).click();
    expect(readFileSync(await (await download).path(), "utf8")).toBe(
      "WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nGood <i>evening</i>.\n",
    );
  });

  const question = page.getByRole("dialog", { name: "Remove the captions?" });
  const remove = async () => {
    await video.getByRole("button", { name: "Remove", exact: true }).last().click();
    await question.getByRole("button", { name: "Remove the captions" }).click();
  };

  await test.step("pasted ones stay when others are removed, and leaving asks first", async () => {
    await video.getByText("Replace them").click();
    await pasted.fill(srt);
    await remove();
    await heading("No captions yet");
    await expect(pasted).toHaveValue(srt);
    await leave(page);
    await stay(page);
  });

  await test.step("those of another tab are shown before they are overwritten or removed", async () => {
    await lesson.update({ videoCaptions: vtt });
    await save.click();
    await expect(video.getByText("The captions were changed somewhere else")).toBeVisible();
    await heading("Captions: 2 lines");
    await expect(pasted).toHaveValue(srt);
    await expect(video.getByText("Watch it here")).toHaveCount(1);
    await look(page, "media-captions-changed", { widths: [360], night: true });
    await save.click();
    await heading("Captions: 1 line");
    await lesson.update({ videoCaptions: vtt });
    await remove();
    await expect(question.getByRole("alert")).toContainText("changed somewhere else");
    await question.getByRole("button", { name: "Cancel" }).click();
    await heading("Captions: 2 lines");
  });

  await test.step("an answer that comes after its dialog was closed is not shown in the next", async () => {
    await lesson.update({ videoCaptions: `${vtt}\n00:01.000 --> 00:01.500\nBreathe.\n` });
    const closed = Promise.withResolvers<void>();
    const answered = page.waitForResponse((answer) => answer.status() === 409);
    await page.route(/\/captions$/, (route) => closed.promise.then(() => route.continue()), {
      times: 1,
    });
    await remove();
    await page.keyboard.press("Escape");
    await expect(question).toBeHidden();
    closed.resolve();
    await answered;
    await video.getByText("Replace them").click();
    await pasted.fill(srt);
    await save.click();
    await heading("Captions: 3 lines");
    await video.getByRole("button", { name: "Remove", exact: true }).last().click();
    await expect(question).toBeVisible();
    await expect(question.getByRole("alert")).toBeHidden();
    await question.getByRole("button", { name: "Remove the captions" }).click();
    await heading("No captions yet");
  });

  await test.step("without scripts: captions are saved and the video removed", async () => {
    const plain = await device({ as: coach, javaScriptEnabled: false });
    const part = mediaPart(plain, "Video");
    await plain.goto(lesson.path);
    await expect(plain.getByText(/^Uploading needs JavaScript/)).toBeVisible();
    await part.getByText("Add captions").click();
    await part.getByLabel("Captions file").setInputFiles(fileNamed("good.vtt", vtt));
    await part.getByRole("button", { name: "Save captions" }).click();
    await expect(plain.getByText("Captions saved")).toBeVisible();
    await expect(part.getByRole("heading", { name: "Captions: 2 lines" })).toBeVisible();
    await look(plain, "media-no-scripts", { widths: [360], axe: false });
    await part.getByRole("button", { name: "Remove", exact: true }).first().click();
    await plain.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await expect(plain.getByText("Video removed")).toBeVisible();
    await expect(part.getByText("Watch it here")).toBeHidden();
  });
});

test("a transcript is made from captions, restored after a reload and never overwritten", async ({
  site,
  device,
}) => {
  const lesson = await aLesson(site.services, { video: true });
  await lesson.update({ videoCaptions: vtt });
  const page = await device({ as: await createCoach(site.services) });
  const video = mediaPart(page, "Video");
  const transcript = video.getByLabel("Transcript of the video");
  const save = video.getByRole("button", { name: "Save transcript" });

  await test.step("what is typed before the scripts have loaded is restored after a reload", async () => {
    const loads = Promise.withResolvers<void>();
    await page.route(/\/assets\/entry\.client-.*\.js$/, async (route) => {
      await loads.promise;
      await route.continue();
    });
    await page.goto(lesson.path, { waitUntil: "commit" });
    await video.getByText("Write a transcript").click();
    await transcript.fill("As it is said.");
    loads.resolve();
    await hydrated(page);
    await page.unrouteAll();
    await leave(page);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Courses");
    await openLesson(page, lesson.path);
    await expect(video.getByText("Your unsaved text was restored.")).toBeVisible();
    await expect(transcript).toHaveValue("As it is said.");
  });

  await test.step("it is made from the captions, after a question", async () => {
    await video.getByRole("button", { name: "Make a transcript from the captions" }).click();
    await page.getByRole("button", { name: "Replace the words" }).click();
    await expect(transcript).toHaveValue("Good morning. Sit down.");
    await save.click();
    await expect(video.getByRole("heading", { name: "Transcript: 4 words" })).toBeVisible();
  });

  await test.step("one that was changed elsewhere is shown, and not overwritten", async () => {
    await lesson.update({ videoTranscript: "Written in another tab." });
    await transcript.fill("Mine.");
    await save.click();
    await expect(video.getByText("This transcript was changed somewhere else")).toBeVisible();
    await expect(video.getByText("Written in another tab.")).toBeVisible();
    await expect(transcript).toHaveValue("Mine.");
    await look(page, "media-transcript-changed", { widths: [360] });
    await video.getByRole("button", { name: "Keep mine" }).click();
    await expect(video.getByRole("heading", { name: "Transcript: 1 word" })).toBeVisible();
    await page.reload();
    await expect(video.getByText("Your unsaved text was restored")).toBeHidden();
    await video.getByText("Read or change it").click();
    await expect(transcript).toHaveValue("Mine.");
  });
});

test("with the keyboard alone, a lesson gets its video, captions and transcript", async ({
  site,
  device,
}) => {
  const lesson = await aLesson(site.services);
  const page = await device({ as: await createCoach(site.services) });
  const video = mediaPart(page, "Video");
  const heading = (name: string) => video.getByRole("heading", { name });
  await openLesson(page, lesson.path);

  await test.step("a video by the file chooser", async () => {
    await tabTo(page, chooser(page, "Video"), 80);
    const asked = page.waitForEvent("filechooser");
    // The browser learns that the test answers before it gets the key.
    await page.evaluate(() => undefined);
    await page.keyboard.press("Enter");
    await (await asked).setFiles(shortFilm());
    // Until the file is stored, its name stands beside buttons that go away with their focus.
    await expect(video.getByRole("button", { name: "Replace" })).toBeVisible();
    await expect(heading("Video")).toBeFocused();
  });

  await test.step("captions and a transcript", async () => {
    await tabTo(page, video.getByText("Add captions"));
    await page.keyboard.press("Enter");
    await tabTo(page, video.getByLabel("Or paste the captions here"));
    await page.keyboard.insertText(vtt);
    await tabTo(page, video.getByRole("button", { name: "Save captions" }));
    await page.keyboard.press("Enter");
    await expect(heading("Captions: 2 lines")).toBeVisible();
    await expect(video.getByText("Captions saved.")).toBeVisible();
    await tabTo(page, video.getByText("Write a transcript"));
    await page.keyboard.press("Enter");
    await tabTo(page, video.getByLabel("Transcript of the video"));
    await page.keyboard.type("Good morning. Sit down.");
    await tabTo(page, video.getByRole("button", { name: "Save transcript" }));
    await page.keyboard.press("Enter");
    await expect(heading("Transcript: 4 words")).toBeVisible();
    await expect(video.getByText("Transcript saved", { exact: true })).toBeVisible();
    const lessons = site.services.db.read.selectFrom("lessons").where("id", "=", lesson.id);
    expect(await lessons.select(["videoCaptions", "videoTranscript"]).execute()).toEqual([
      {
        videoCaptions: expect.stringContaining("Sit down."),
        videoTranscript: "Good morning. Sit down.",
      },
    ]);
    await look(page, "media-whole", { night: true });
  });

  await test.step("the video is removed", async () => {
    await video.getByRole("button", { name: "Remove", exact: true }).first().focus();
    await page.keyboard.press("Enter");
    const question = page.getByRole("dialog", { name: "Remove the video?" });
    await expect(question.getByRole("button", { name: "Cancel" })).toBeFocused();
    await look(page, "media-remove", { widths: [360] });
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(chooser(page, "Video")).toBeVisible();
    await expect(heading("Video")).toBeFocused();
  });
});
