import type { Page } from "@playwright/test";
import { tabTo } from "./support/keyboard.ts";
import { createCoach } from "./support/lessons.ts";
import {
  aLesson,
  chooser,
  longFilm,
  mediaPart,
  openLesson,
  shortFilm,
  test,
} from "./support/media.ts";
import { expect } from "./support/test.ts";

const vtt =
  "WEBVTT\n\n00:00.000 --> 00:00.500\nGood morning.\n\n00:00.500 --> 00:01.000\nSit down.\n";

/** Chooses a file in the box that has focus, by a key. */
async function chooseByKey(page: Page, file: string) {
  const asked = page.waitForEvent("filechooser");
  // The browser is told to ask the test, not a person, before it gets the key.
  await page.evaluate(() => undefined);
  await page.keyboard.press("Enter");
  await (await asked).setFiles(file);
}

test("with the keyboard alone, a lesson gets its video, captions and transcript", async ({
  site,
  device,
}) => {
  const lesson = await aLesson(site.services);
  const page = await device({ as: await createCoach(site.services) });
  await openLesson(page, lesson.path);
  const video = mediaPart(page, "Video");
  await tabTo(page, chooser(page, "Video"), 80);
  await chooseByKey(page, shortFilm());
  await expect(video.getByText("film.mp4", { exact: true })).toBeVisible();

  await expect(video.getByRole("heading", { name: "Video" })).toBeFocused();
  await tabTo(page, video.getByText("Add captions"));
  await page.keyboard.press("Enter");
  await tabTo(page, video.getByLabel("Or paste the captions here"));
  await page.keyboard.insertText(vtt);
  await tabTo(page, video.getByRole("button", { name: "Save captions" }));
  await page.keyboard.press("Enter");
  await expect(video.getByRole("heading", { name: "Captions: 2 lines" })).toBeVisible();
  await expect(video.getByText("Captions saved.")).toBeVisible();

  await tabTo(page, video.getByText("Write a transcript"));
  await page.keyboard.press("Enter");
  await tabTo(page, video.getByLabel("Transcript of the video"));
  await page.keyboard.type("Good morning. Sit down.");
  await tabTo(page, video.getByRole("button", { name: "Save transcript" }));
  await page.keyboard.press("Enter");
  await expect(video.getByText("Transcript saved", { exact: true })).toBeVisible();
  await expect(video.getByRole("heading", { name: "Transcript: 4 words" })).toBeVisible();
  const kept = await site.services.db.read
    .selectFrom("lessons")
    .select(["videoCaptions", "videoTranscript"])
    .where("id", "=", lesson.id)
    .executeTakeFirstOrThrow();
  expect(kept.videoCaptions).toContain("Sit down.");
  expect(kept.videoTranscript).toBe("Good morning. Sit down.");
});

test("on a slow line it is told how long a video still takes", async ({ site, gate, device }) => {
  const lesson = await aLesson(site.services);
  const page = await device({ as: await createCoach(site.services) });
  await openLesson(page, gate.url + lesson.path);
  const video = mediaPart(page, "Video");
  gate.trickle(1_500_000);
  await chooser(page, "Video").setInputFiles(longFilm());
  await expect(
    video.getByText(/^\d+ % of 24 MB, (a few seconds|less than a minute|about .+) left$/),
  ).toBeVisible();
  gate.open();
  await expect(video.getByText("0:01 · 24 MB")).toBeVisible();
  await expect(video.getByText(/ left$/)).toHaveCount(0);
});

test("an audio is removed, and it is said", async ({ site, device }) => {
  const page = await device({ as: await createCoach(site.services) });
  const { id } = await site.services.db.read
    .selectFrom("lessons")
    .select("id")
    .where("audioKey", "is not", null)
    .executeTakeFirstOrThrow();
  await openLesson(page, `/admin/lessons/${id}`);
  const audio = mediaPart(page, "Audio");
  await audio.getByRole("button", { name: "Remove", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Remove the audio?" });
  await question.getByRole("button", { name: "Remove" }).click();
  await expect(audio.getByRole("status").filter({ hasText: "Audio removed" })).toHaveCount(1);
  await expect(chooser(page, "Audio")).toBeVisible();
});
