import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "@playwright/test";
import {
  saveCaptions,
  saveTranscript,
  versionOf,
} from "~/features/lesson-media/captions.server.ts";

import { mediaKinds } from "~/features/lesson-media/messages.ts";
import { cookieOf, type Person } from "../../support/people.ts";
import { tagged } from "../../support/polyglots.ts";
import {
  beginUpload,
  refusalOf,
  sampleFile,
  type Uploading,
  upload,
} from "../../support/uploads.ts";
import type { RunningSite } from "./site.ts";
import type { Plants } from "./xss-plants.ts";
import type { Lesson } from "./xss-world.ts";

type Planting = { coach: Person; lessons: Lesson[] };

const film = path.join(import.meta.dirname, "..", "..", "support", "media", "minute.webm");

/**
 * A lesson with film and sound, captions and transcripts; one with an upload that was refused, and
 * one with an upload on its way. Their files are called by attacks.
 */
export async function plantMedia(site: RunningSite, plants: Plants, { coach, lessons }: Planting) {
  const { services, url } = site;
  const [, heard, refused, open] = lessons as [Lesson, Lesson, Lesson, Lesson];
  const cookie = await cookieOf(services, coach.id);
  const to = ({ id, moduleId }: Lesson, fileName: string, kind: "video" | "audio"): Uploading => ({
    ...{ url, cookie, origin: url, moduleId, lessonId: id, fileName, kind },
  });
  const named = (field: string, ending: string) => `${plants.one(field)}.${ending}`;
  await upload(readFileSync(film), to(heard, named("file name", "webm"), "video"));
  const sound = tagged(plants.one("comment of a sound"), sampleFile("sound.mp3"));
  await upload(sound, to(heard, named("file name", "mp3"), "audio"));
  const page = Buffer.from("<!doctype html><script>xss(0)</script>");
  const answer = await refusalOf(upload(page, to(refused, named("refused file", "mp4"), "video")));
  expect(answer).toMatchObject({
    status: 400,
    said: expect.stringMatching(/^This is not a video/),
  });
  const nameless = await beginUpload(to(open, plants.one("file without ending"), "video"), 1000);
  expect(nameless.status).toBe(400);
  const begun = await beginUpload(to(open, named("open file", "mp4"), "video"), 1000);
  expect(begun.status).toBe(201);
  const sent = await fetch(new URL(begun.headers.get("location") ?? "", url), {
    method: "PATCH",
    headers: {
      ...{ cookie, origin: url, "tus-resumable": "1.0.0", "upload-offset": "0" },
      "content-type": "application/offset+octet-stream",
    },
    body: Buffer.alloc(500),
  });
  expect(sent.status).toBe(204);
  await plantWords(services, plants, heard.id);
  return { heard, refused, open };
}

async function plantWords(services: RunningSite["services"], plants: Plants, lessonId: string) {
  const cues = plants.all("caption");
  const version = versionOf(null);
  const spoken = "<v xss\"'><script>xss(0)</script>words</v>";
  const vtt = (words: string[]) =>
    Buffer.from(
      `WEBVTT\n\n${[...words, spoken].map((text) => `00:00.000 --> 00:59.000\n${text}\n`).join("\n")}`,
    );
  const [arrows, plain] = [
    cues.filter((text) => text.includes("-->")),
    cues.filter((text) => !text.includes("-->")),
  ];
  expect(arrows.length).toBeGreaterThan(0);
  for (const text of arrows)
    await expect(
      saveCaptions(services, { lessonId, source: vtt([text]), version }),
    ).rejects.toThrow(/^Line/);
  await saveCaptions(services, { lessonId, source: vtt(plain), version });
  for (const kind of mediaKinds) {
    const text = plants.all(`${kind} transcript`).join("\n\n");
    const saved = await saveTranscript(services, {
      lessonId,
      kind,
      text,
      version,
    });
    expect(saved.is).toBe("saved");
  }
}
