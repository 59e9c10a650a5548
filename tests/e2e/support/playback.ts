import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, type Page } from "@playwright/test";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { createPerson } from "../../support/people.ts";
import { folderOfTest } from "./folders.ts";
import { openHydrated } from "./player.ts";

const film = path.join(import.meta.dirname, "..", "..", "support", "media", "minute.webm");

const captions = `WEBVTT

00:00.000 --> 00:59.000
Breathe out. The water is still there.
`;
const transcript =
  "Breathe out. The water is still there.\n\nLook at the line where it ends. You do not have to go there. It is enough that it stays where it is while everything else moves.";

/**
 * Someone enrolled in a course of two lessons with sound, the first with a film and captions as
 * well. The film is in a format that every Chromium plays, a minute long and small; a minute of
 * sound is too large for a browser to load ahead of time.
 */
export async function createListener(services: Services) {
  const sound = path.join(folderOfTest(), "sound.wav");
  writeFileSync(sound, minuteOfSound());
  const [filmKey, soundKey, otherKey] = [
    `${newId()}/1-minute.webm`,
    `${newId()}/1-sound.wav`,
    `${newId()}/2-sound.wav`,
  ];
  await services.storage.putFile("course-videos", filmKey, film);
  await services.storage.putFile("course-audio", soundKey, sound);
  await services.storage.putFile("course-audio", otherKey, sound);
  const course = await createCourse(
    services,
    [
      [
        { title: "The line of the water", muxPlaybackId: filmKey, audioKey: soundKey },
        { title: "A longer breath", audioKey: otherKey },
      ],
    ],
    { title: "A course to listen to" },
  );
  const first = course.modules[0]?.lessons[0]?.id ?? "";
  await services.db.write
    .updateTable("lessons")
    .set({ videoCaptions: captions, videoTranscript: transcript, audioTranscript: transcript })
    .where("id", "=", first)
    .execute();
  for (const [bucket, key] of [
    ["course-videos", filmKey],
    ["course-audio", soundKey],
    ["course-audio", otherKey],
  ] as const)
    await services.db.write
      .insertInto("mediaFiles")
      .values({
        id: newId(),
        bucket,
        key,
        fileName: "file",
        contentType: bucket === "course-videos" ? "video/webm" : "audio/wav",
        size: 1,
        durationMs: 60_000,
        lessonId: first,
        createdAt: services.clock.now(),
      })
      .execute();
  const student = await createPerson(services);
  await enroll(services, { userId: student.id, productId: course.id });
  return { course, student };
}

/** 44.1 kHz, stereo, 16 bit: ten megabytes of a low tone. */
function minuteOfSound(): Buffer {
  const [rate, seconds, frame] = [44_100, 60, 4];
  const data = Buffer.alloc(rate * seconds * frame);
  for (let at = 0; at < rate * seconds; at += 1) {
    const level = Math.round(Math.sin((at / rate) * 2 * Math.PI * 110) * 3000);
    data.writeInt16LE(level, at * frame);
    data.writeInt16LE(level, at * frame + 2);
  }
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(2, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * frame, 28);
  head.writeUInt16LE(frame, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

export const lessonPath = (course: TestCourse, lesson: 1 | 2 = 1) =>
  `/courses/${course.slug}/learn?lesson=lesson-1-${lesson}`;

type Kind = "video" | "audio";

/** The part of the page that plays one of the two. */
export const playerOf = (page: Page, kind: Kind) =>
  page.getByRole("region", { name: kind === "video" ? "Video" : "Audio Lesson" });

/** Opens a lesson and waits for the controls, and for the length of what there is to play. */
export async function openMedia(page: Page, address: string, kind: Kind): Promise<void> {
  await openHydrated(page, address);
  await expect(playerOf(page, kind).getByRole("button", { name: "Play" })).toBeVisible();
  await expect
    .poll(() => page.locator(kind).evaluate((media) => (media as HTMLMediaElement).readyState))
    .toBeGreaterThan(0);
}

/** What a video or an audio element says of itself. */
export function stateOf(page: Page, kind: Kind) {
  return page.locator(kind).evaluate((element) => {
    const media = element as HTMLMediaElement;
    const { currentTime, paused, playbackRate, src, controls, ended } = media;
    const error = media.error?.code ?? null;
    return { currentTime, paused, playbackRate, src, controls, ended, error };
  });
}

/** Waits until it plays beyond this second. */
export async function playsBeyond(page: Page, kind: Kind, seconds: number): Promise<void> {
  await expect.poll(async () => (await stateOf(page, kind)).currentTime).toBeGreaterThan(seconds);
  expect((await stateOf(page, kind)).paused).toBe(false);
}

/** A user's playback positions on the server, in seconds, by kind. */
export async function placesOf(services: Services, userId: string, lessonId: string) {
  const rows = await services.db.read
    .selectFrom("playbackPositions")
    .select(["kind", "positionMs"])
    .where("userId", "=", userId)
    .where("lessonId", "=", lessonId)
    .execute();
  const place = (kind: Kind) => rows.find((row) => row.kind === kind)?.positionMs;
  const seconds = (ms: number | undefined) => (ms === undefined ? null : Math.round(ms / 1000));
  return { video: seconds(place("video")), audio: seconds(place("audio")) };
}
