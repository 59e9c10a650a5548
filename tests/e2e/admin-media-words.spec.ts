import { readFileSync } from "node:fs";
import { createPerson } from "../support/people.ts";
import { type aLesson, chooser, fileNamed, mediaPart, openLesson } from "./support/media.ts";
import { look } from "./support/screen.ts";
import { expect, test } from "./support/test.ts";

const vtt =
  "WEBVTT\n\n00:00.000 --> 00:00.500\nGood morning.\n\n00:00.500 --> 00:01.000\nSit down.\n";
const srt = "1\n00:00:00,000 --> 00:00:01,000\nGood <i>evening</i>.\n";

/** Takes a video that is there already, as of the sample courses. */
async function withVideo(services: Parameters<typeof aLesson>[0]) {
  const { id } = await services.db.read
    .selectFrom("lessons")
    .select("id")
    .where("muxPlaybackId", "is not", null)
    .executeTakeFirstOrThrow();
  return { id, path: `/admin/lessons/${id}` };
}

test("captions are added, refused by the line, replaced by SubRip, had back and removed", async ({
  site,
  device,
  watch,
}) => {
  const admin = await createPerson(site.services, { role: "admin", name: "Nora Hale" });
  const lesson = await withVideo(site.services);
  const page = await device({ as: admin });
  await openLesson(page, lesson.path);
  const video = mediaPart(page, "Video");
  await expect(
    video.getByText("Some students cannot hear this. Captions help them."),
  ).toBeVisible();
  await video.getByText("Add captions").click();
  const file = video.getByLabel("Captions file");
  const save = video.getByRole("button", { name: "Save captions" });

  watch.expect(/^answer 400: POST .*\/captions$/);
  await file.setInputFiles(fileNamed("bad.vtt", vtt.replace("00:00.500 -->", "half -->")));
  await save.click();
  await expect(video.getByText(/^Line 6: this time cannot be read/)).toBeVisible();
  await expect(file).toBeFocused();
  await look(page, "media-captions-refused", { night: true });

  await file.setInputFiles(fileNamed("good.vtt", vtt));
  await save.click();
  await expect(video.getByRole("heading", { name: "Captions: 2 lines" })).toBeVisible();
  await look(page, "media-captions", { night: true });

  await video.getByText("Replace them").click();
  await file.setInputFiles(fileNamed("evening.srt", srt));
  await save.click();
  await expect(video.getByRole("heading", { name: "Captions: 1 line" })).toBeVisible();
  await expect(video.getByText("They were in the SubRip format")).toBeVisible();
  const download = page.waitForEvent("download");
  await video.getByRole("link", { name: "Download" }).click();
  const kept = readFileSync(await (await download).path(), "utf8");
  expect(kept).toBe("WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nGood <i>evening</i>.\n");

  await video.getByRole("button", { name: "Remove", exact: true }).last().click();
  const question = page.getByRole("dialog", { name: "Remove the captions?" });
  await question.getByRole("button", { name: "Remove the captions" }).click();
  await expect(video.getByRole("heading", { name: "No captions yet" })).toBeVisible();
});

test("captions of another tab are shown first, and overwritten or removed only then", async ({
  site,
  device,
  watch,
}) => {
  const admin = await createPerson(site.services, { role: "admin", name: "Nora Hale" });
  const lesson = await withVideo(site.services);
  const elsewhere = (videoCaptions: string) =>
    site.services.db.write
      .updateTable("lessons")
      .set({ videoCaptions })
      .where("id", "=", lesson.id)
      .execute();
  const page = await device({ as: admin });
  await openLesson(page, lesson.path);
  const video = mediaPart(page, "Video");
  await video.getByText("Add captions").click();
  const box = video.getByLabel("Or paste the captions here");
  await box.fill(srt);
  await elsewhere(vtt);
  watch.expect(/^answer 409: POST .*\/captions$/);
  const save = video.getByRole("button", { name: "Save captions" });
  await save.click();
  await expect(video.getByText("The captions were changed somewhere else")).toBeVisible();
  await expect(video.getByRole("heading", { name: "Captions: 2 lines" })).toBeVisible();
  await expect(box).toHaveValue(srt);
  await expect(video.getByText("Watch it here")).toHaveCount(1);
  await look(page, "media-captions-changed", { night: true });
  await save.click();
  await expect(video.getByRole("heading", { name: "Captions: 1 line" })).toBeVisible();

  await elsewhere(vtt);
  await video.getByRole("button", { name: "Remove", exact: true }).last().click();
  const question = page.getByRole("dialog", { name: "Remove the captions?" });
  const remove = question.getByRole("button", { name: "Remove the captions" });
  await remove.click();
  await expect(video.getByText("The captions were changed somewhere else")).toBeVisible();
  await expect(video.getByRole("heading", { name: "Captions: 2 lines" })).toBeVisible();
  await look(page, "media-captions-not-removed");
  await video.getByRole("button", { name: "Remove", exact: true }).last().click();
  await remove.click();
  await expect(video.getByRole("heading", { name: "No captions yet" })).toBeVisible();
});

test("a transcript is made from captions, kept while it is typed, saved, and never overwritten", async ({
  site,
  device,
}) => {
  const admin = await createPerson(site.services, { role: "admin", name: "Nora Hale" });
  const lesson = await withVideo(site.services);
  const { write } = site.services.db;
  const set = (values: { videoCaptions?: string; videoTranscript?: string }) =>
    write.updateTable("lessons").set(values).where("id", "=", lesson.id).execute();
  await set({ videoCaptions: vtt });
  const page = await device({ as: admin });
  await openLesson(page, lesson.path);
  const video = mediaPart(page, "Video");
  await video.getByText("Write a transcript").click();
  const box = video.getByLabel("Transcript of the video");
  await video.getByRole("button", { name: "Make a transcript from the captions" }).click();
  await expect(box).toHaveValue("Good morning. Sit down.");
  await box.fill("Good morning. Sit down. Breathe.");

  await page.reload();
  await expect(video.getByText("Your unsaved text was restored.")).toBeVisible();
  await expect(box).toHaveValue("Good morning. Sit down. Breathe.");
  await video.getByRole("button", { name: "Save transcript" }).click();
  await expect(video.getByRole("heading", { name: "Transcript: 5 words" })).toBeVisible();

  await set({ videoTranscript: "Written in another tab." });
  await box.fill("Mine.");
  await video.getByRole("button", { name: "Save transcript" }).click();
  await expect(video.getByText("This transcript was changed somewhere else")).toBeVisible();
  await expect(video.getByText("Written in another tab.")).toBeVisible();
  await expect(box).toHaveValue("Mine.");
  await look(page, "media-transcript-changed", { night: true });
  await video.getByRole("button", { name: "Keep mine" }).click();
  await expect(video.getByRole("heading", { name: "Transcript: 1 word" })).toBeVisible();
  await page.reload();
  await expect(video.getByText("Your unsaved text was restored")).toBeHidden();
  await video.getByText("Read or change it").click();
  await expect(box).toHaveValue("Mine.");
});

test("with the keyboard alone: a video is removed, captions are pasted", async ({
  site,
  device,
}) => {
  const admin = await createPerson(site.services, { role: "admin", name: "Nora Hale" });
  const lesson = await withVideo(site.services);
  const page = await device({ as: admin });
  await openLesson(page, lesson.path);
  const video = mediaPart(page, "Video");
  await video.getByText("Add captions").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(video.getByLabel("Captions file")).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.insertText(vtt);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(video.getByRole("heading", { name: "Captions: 2 lines" })).toBeVisible();

  await video.getByRole("button", { name: "Remove", exact: true }).first().focus();
  await page.keyboard.press("Enter");
  const question = page.getByRole("dialog", { name: "Remove the video?" });
  await expect(question.getByRole("button", { name: "Remove" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(chooser(page, "Video")).toBeVisible();
  await expect(video.getByRole("heading", { name: "Video" })).toBeFocused();
});

test("without scripts, captions are kept and files removed; uploading says what it needs", async ({
  site,
  device,
}) => {
  const admin = await createPerson(site.services, { role: "admin", name: "Nora Hale" });
  const lesson = await withVideo(site.services);
  const page = await device({ as: admin, javaScriptEnabled: false });
  await page.goto(lesson.path);
  await expect(page.getByText(/^Uploading needs JavaScript/)).toBeVisible();
  const video = mediaPart(page, "Video");
  await video.getByText("Add captions").click();
  await video.getByLabel("Captions file").setInputFiles(fileNamed("good.vtt", vtt));
  await video.getByRole("button", { name: "Save captions" }).click();
  await expect(page.getByText("Captions saved")).toBeVisible();
  await expect(video.getByRole("heading", { name: "Captions: 2 lines" })).toBeVisible();
  await look(page, "media-no-scripts", { axe: false });
  await video.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("Video removed")).toBeVisible();
  await expect(video.getByText("Watch it here")).toBeHidden();
});
