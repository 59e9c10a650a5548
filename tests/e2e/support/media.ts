import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { createCourse, type TestLesson } from "../../support/courses.ts";
import { filmOf, sampleFile } from "../../support/uploads.ts";
import { folderOfTest } from "./folders.ts";
import { type Gate, startGate } from "./network-gate.ts";
import { openHydrated } from "./player.ts";
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

/** A saved lesson of its own course, and its page. Without media, or with a sample's video. */
export async function aLesson(services: Services, { video = false } = {}) {
  const muxPlaybackId = video ? "samples/horizon.mp4" : null;
  const course = await createCourse(services, [[{ muxPlaybackId }]]);
  const { id, moduleId } = course.modules.flatMap(({ lessons }) => lessons)[0] as TestLesson;
  /** As an admin changes it elsewhere. */
  const update = (values: { videoCaptions?: string; videoTranscript?: string }) =>
    services.db.write.updateTable("lessons").set(values).where("id", "=", id).execute();
  return { id, moduleId, path: `/admin/lessons/${id}`, update };
}

/** Announces more than any disk holds: as good as full. @returns what makes room again */
export async function fillDisk({ db, clock }: Services, coach: { id: string }) {
  const id = newId();
  const announced = { id, bucket: "course-videos" as const, key: `${newId()}/1-all.mp4` };
  const file = { fileName: "all.mp4", size: 9e15, lessonId: newId(), userId: coach.id };
  await db.write
    .insertInto("uploads")
    .values({ ...announced, ...file, createdAt: clock.now() })
    .execute();
  return () => db.write.deleteFrom("uploads").where("id", "=", id).execute();
}

export async function openLesson(page: Page, address: string): Promise<void> {
  await openHydrated(page, address);
}

/** The part of the page about a lesson's video, or its audio. */
export const mediaPart = (page: Page, kind: "Video" | "Audio"): Locator =>
  page.getByRole("region", { name: kind, exact: true });

export const chooser = (page: Page, kind: "Video" | "Audio") =>
  mediaPart(page, kind).getByLabel(
    kind === "Video" ? "Choose a video file" : "Choose an audio file",
  );

/** Waits until a film on its way stands still, a piece of it on the server. */
export async function haltedAt(part: Locator, gate: Gate): Promise<void> {
  await gate.isFull();
  await expect(part.getByText("Uploading", { exact: true })).toBeVisible();
  await expect(part.getByText(/^\d\d % of 24 MB/)).toBeVisible();
}

/** The bytes that students get. */
export async function storedVideo(page: Page, lessonId: string): Promise<Buffer> {
  const answer = await page.request.get(`/admin/lessons/${lessonId}/media?play=video`);
  expect(answer.status()).toBe(200);
  return answer.body();
}
