import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import type { Services } from "~/platform/http/services.ts";
import { filmOf, sampleFile } from "../../support/uploads.ts";
import { folderOfTest } from "./folders.ts";
import { type Gate, startGate } from "./gate.ts";
import { hydrated } from "./player.ts";
import { test as plainTest } from "./test.ts";

/** With a line between the browser and the site that the test holds in its hand. */
export const test = plainTest.extend<{ gate: Gate }>({
  gate: async ({ site, watch }, use) => {
    const gate = await startGate(site.url);
    watch.expect(/^another host: /);
    await use(gate);
    await gate.close();
  },
});

/** A file on the coach's computer. @returns where it is */
export function fileNamed(name: string, bytes: Uint8Array | string): string {
  const file = path.join(folderOfTest(), name);
  writeFileSync(file, bytes);
  return file;
}

/** A film that takes a while: 24 MB. */
export const longFilm = (name = "grief.mp4") => fileNamed(name, filmOf(24_000_000));
export const shortFilm = (name = "film.mp4") => fileNamed(name, sampleFile("film.mp4"));

/** A saved lesson without media, and its page. */
export async function aLesson({ db }: Services) {
  const { id, moduleId } = await db.write
    .selectFrom("lessons")
    .select(["id", "moduleId"])
    .where("muxPlaybackId", "is", null)
    .where("audioKey", "is", null)
    .orderBy("id")
    .executeTakeFirstOrThrow();
  return { id, moduleId, path: `/admin/lessons/${id}` };
}

export async function openLesson(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await hydrated(page);
}

/** The part of the page about a lesson's video, or its audio. */
export const mediaPart = (page: Page, kind: "Video" | "Audio"): Locator =>
  page.getByRole("region", { name: kind, exact: true });

export const chooser = (page: Page, kind: "Video" | "Audio") =>
  mediaPart(page, kind).getByLabel(
    kind === "Video" ? "Choose a video file" : "Choose an audio file",
  );

/** A film on its way that has come to a halt, a piece of it on the server. @returns how much, in percent */
export async function haltedAt(part: Locator, gate: Gate): Promise<number> {
  await gate.isFull();
  const line = part.getByText(/^\d\d % of 24 MB/);
  await expect(line).toBeVisible();
  return Number.parseInt((await line.textContent()) ?? "", 10);
}

/** The bytes that students get. */
export async function storedVideo(page: Page, lessonId: string): Promise<Buffer> {
  const answer = await page.request.get(`/admin/lessons/${lessonId}/media?play=video`);
  expect(answer.status()).toBe(200);
  return answer.body();
}
