import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getCaptions, versionOf } from "~/features/lesson-media/captions.server.ts";
import {
  captionsErrors,
  captionsMessages,
  uploadRefusals,
} from "~/features/lesson-media/messages.ts";

import type { PanelState } from "~/features/lesson-media/schema.ts";
import { newId } from "~/platform/db/ids.ts";
import { toastOf } from "../../support/answers.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { type Asking, startSite, type TestSite } from "../../support/site.ts";
import { filmOf, sampleFile, upload } from "../../support/uploads.ts";

let site: TestSite;
let admin: Person;
let course: TestCourse;

beforeAll(async () => {
  site = await startSite({ UPLOAD_LIMIT_GB: "0.1" });
  admin = await createPerson(site.services, { role: "admin" });
});
afterAll(() => site.close());

/** A saved lesson of its own. */
async function aLesson(): Promise<string> {
  course = await createCourse(site.services, [[{}]]);
  return course.modules[0]?.lessons[0]?.id ?? "";
}
const json = { accept: "application/json" };
const ask = (path: string, asking: Asking = {}) =>
  site.ask(path, { as: admin, headers: json, ...asking });
const panelOf = async (lessonId: string) =>
  (await (await ask(`/admin/lessons/${lessonId}/media`)).json()) as PanelState;
const post = (lessonId: string, where: "media" | "captions", form: Record<string, string>) =>
  ask(`/admin/lessons/${lessonId}/${where}`, { form });

/** @returns the upload's id, once all of it has arrived */
async function uploadFilm(lessonId: string, fileName = "film.mp4", bytes = sampleFile("film.mp4")) {
  return upload(bytes, { ...(await way()), lessonId, fileName });
}

async function way() {
  const { appUrl: origin } = site.services.config;
  const moduleId = course.modules[0]?.id ?? "";
  return { url: site.url, cookie: await site.cookieOf(admin), origin, moduleId };
}

/** Sends the first million bytes of a film, and no more. */
async function uploadBeginning(lessonId: string, fileName: string) {
  const to = { ...(await way()), lessonId, fileName };
  const chunkSize = 1_000_000;
  await new Promise<void>((resolve, reject) => {
    const onChunkComplete = () => resolve();
    const onBeforeRequest = (request: { getHeader(name: string): string | undefined }) => {
      if (request.getHeader("Upload-Offset") === String(chunkSize)) throw new Error("enough");
    };
    upload(filmOf(3_000_000), to, { chunkSize, onChunkComplete, onBeforeRequest }).catch(reject);
  });
}

describe("what the panel knows", () => {
  test("nothing yet, and how large a file may be", async () => {
    const panel = await panelOf(await aLesson());
    const none = {
      stored: null,
      uploads: [],
      transcript: { text: "", version: expect.any(String) },
    };
    expect(panel).toEqual({
      video: none,
      audio: none,
      captions: null,
      captionsVersion: versionOf(null),
      limit: 100_000_000,
    });
  });

  test("a file: name, length and size; and where to play it", async () => {
    const lessonId = await aLesson();
    await uploadFilm(lessonId, "Mein <b>Film</b>.mp4");
    const { video, audio } = await panelOf(lessonId);
    expect(video.stored).toMatchObject({
      fileName: "Mein <b>Film</b>.mp4",
      durationMs: expect.closeTo(1000, -3),
      size: sampleFile("film.mp4").length,
    });
    expect(audio.stored).toBeNull();
    const there = await ask(`/admin/lessons/${lessonId}/media?play=video`);
    expect(there.status).toBe(302);
    const film = await site.ask(there.headers.get("location") ?? "");
    expect(new Uint8Array(await film.arrayBuffer())).toEqual(
      new Uint8Array(sampleFile("film.mp4")),
    );
    for (const nothing of ["audio", "toString", ""])
      expect((await ask(`/admin/lessons/${lessonId}/media?play=${nothing}`)).status).toBe(404);
  });

  test("an upload that stopped, and how much of it has arrived", async () => {
    const lessonId = await aLesson();
    await uploadBeginning(lessonId, "stopped.mp4");
    const { video } = await panelOf(lessonId);
    expect(video.uploads).toEqual([
      {
        id: expect.any(String),
        kind: "video",
        fileName: "stopped.mp4",
        size: 3_000_000,
        received: 1_000_000,
        state: "open",
        reason: null,
      },
    ]);
  });

  test("what was refused, and why", async () => {
    const lessonId = await aLesson();
    await uploadFilm(lessonId, "page.mp4", Buffer.from("<!doctype html><script>")).catch(() => {});
    const { video } = await panelOf(lessonId);
    expect(video.uploads).toMatchObject([
      { fileName: "page.mp4", state: "refused", reason: expect.stringContaining("not a video") },
    ]);
  });
});

describe("removing and finishing", () => {
  /** The form of the file that is shown now. */
  const removal = async (lessonId: string) => {
    const { stored } = (await panelOf(lessonId)).video;
    return { intent: "remove", kind: "video", key: stored?.key ?? "" };
  };

  test("a removed video is no longer the lesson's; twice is once", async () => {
    const lessonId = await aLesson();
    await uploadFilm(lessonId);
    const form = await removal(lessonId);
    for (const _ of [1, 2]) expect((await post(lessonId, "media", form)).status).toBe(200);
    expect((await panelOf(lessonId)).video.stored).toBeNull();
  });

  test.each(["saved", "new"])("the file of a %s lesson that came meanwhile stays", async (age) => {
    const saved = await aLesson();
    const lessonId = age === "saved" ? saved : newId();
    await uploadFilm(lessonId, "old.mp4");
    const form = await removal(lessonId);
    await uploadFilm(lessonId, "new.mp4");
    const answer = await post(lessonId, "media", form);
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ error: { message: uploadRefusals.otherFile } });
    expect((await panelOf(lessonId)).video.stored?.fileName).toBe("new.mp4");
    expect((await post(lessonId, "media", await removal(lessonId))).status).toBe(200);
    expect((await panelOf(lessonId)).video.stored).toBeNull();
  });

  test("without scripts, it leads back to the lesson with a toast", async () => {
    const lessonId = await aLesson();
    await uploadFilm(lessonId);
    const form = await removal(lessonId);
    const answer = await ask(`/admin/lessons/${lessonId}/media`, { form, headers: {} });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe(`/admin/lessons/${lessonId}`);
    expect(toastOf(answer)).toEqual({ title: "Video removed", tone: "success" });
  });

  test("an upload that is checked already is as good as checked", async () => {
    const lessonId = await aLesson();
    const uploadId = await uploadFilm(lessonId);
    expect((await post(lessonId, "media", { intent: "finish", uploadId })).status).toBe(200);
  });

  test.each([
    [{}],
    [{ intent: "finish" }],
    [{ intent: "finish", uploadId: "none" }],
    [{ intent: "remove", kind: "picture", key: "film.mp4" }],
    [{ intent: "remove", kind: "video" }],
    [{ intent: "remove", kind: "video", key: "" }],
    [{ intent: "remove", kind: "video", key: "a".repeat(1001) }],
    [{ intent: "other" }],
  ])("%j is refused", async (form) => {
    const answer = await post(await aLesson(), "media", form as Record<string, string>);
    expect(answer.status).toBe(404);
  });
});

const vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\nGood morning.\n\n00:03.000 --> 00:04.000\nSit.";
const kept =
  "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nGood morning.\n\n00:00:03.000 --> 00:00:04.000\nSit.\n";

describe("captions", () => {
  const versionNow = async (lessonId: string) =>
    versionOf(await getCaptions(site.services, lessonId));
  const send = async (
    lessonId: string,
    file: Blob | null,
    text = "",
    { headers = json as HeadersInit, version = "" } = {},
  ) => {
    const body = new FormData();
    body.set("intent", "captions");
    body.set("version", version || (await versionNow(lessonId)));
    body.set("text", text);
    if (file) body.set("file", file, "captions.vtt");
    return ask(`/admin/lessons/${lessonId}/captions`, {
      method: "POST",
      body,
      headers: headers as Record<string, string>,
    });
  };

  test.each([
    ["a file", new Blob([vtt]), "", false],
    ["pasted text, and no file chosen", new Blob([]), vtt, false],
    ["a file, before pasted text", new Blob([vtt]), "Dear Anna", false],
    [
      "SubRip",
      new Blob([
        "1\n00:00:01,000 --> 00:00:02,000\nGood morning.\n\n2\n00:00:03,000 --> 00:00:04,000\nSit.",
      ]),
      "",
      true,
    ],
  ])("from %s are kept and can be had back", async (_, file, text, converted) => {
    const lessonId = await aLesson();
    const answer = await send(lessonId, file, text);
    expect(await answer.json()).toEqual({ cues: 2, converted });
    expect(await getCaptions(site.services, lessonId)).toBe(kept);
    expect((await panelOf(lessonId)).captions).toBe(2);
    const back = await ask(`/admin/lessons/${lessonId}/captions`);
    expect(back.headers.get("content-type")).toBe("text/vtt; charset=utf-8");
    expect(back.headers.get("content-disposition")).toContain("attachment");
    expect(await back.text()).toBe(kept);
  });

  test.each([
    ["nothing", "", captionsErrors.empty],
    ["something else", "Dear Anna", captionsErrors.noHeader.replace("{line}", "1")],
    ["a wrong time", `${vtt}\n\nx --> y\nA`, captionsErrors.time.replace("{line}", "9")],
    ["too much", `WEBVTT\n\n${"NOTE x\n\n".repeat(200_000)}`, captionsErrors.tooLong],
  ])("%s is told in words, and what was there stays", async (_, text, message) => {
    const lessonId = await aLesson();
    await send(lessonId, new Blob([vtt]));
    const answer = await send(lessonId, new Blob([text]));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: "invalid", message } });
    expect(await getCaptions(site.services, lessonId)).toBe(kept);
  });

  test("of a lesson that is not there, or was deleted, are not kept", async () => {
    const lessonId = await aLesson();
    await site.services.db.write
      .updateTable("lessons")
      .set({ deletedAt: new Date() })
      .where("id", "=", lessonId)
      .execute();
    for (const id of [lessonId, newId(), "none"])
      expect((await send(id, new Blob([vtt]))).status).toBe(404);
    expect(await getCaptions(site.services, lessonId)).toBeNull();
  });

  test("are removed; twice is once", async () => {
    const lessonId = await aLesson();
    await send(lessonId, new Blob([vtt]));
    const form = { intent: "remove", version: await versionNow(lessonId) };
    for (const _ of [1, 2]) expect((await post(lessonId, "captions", form)).status).toBe(200);
    expect(await getCaptions(site.services, lessonId)).toBeNull();
  });

  const other = "WEBVTT\n\n00:05.000 --> 00:06.000\nGood evening.";
  test.each([
    ["new ones where there were none", null],
    ["others where there were some", other],
  ])("from a form that has not seen them do not overwrite %s", async (_, before) => {
    const lessonId = await aLesson();
    if (before) await send(lessonId, new Blob([before]));
    const { captionsVersion } = await panelOf(lessonId);
    await send(lessonId, new Blob([vtt]));
    const version = { version: captionsVersion };
    const answer = await send(lessonId, null, other.replace("evening", "night"), version);
    expect(answer.status).toBe(409);
    const { error } = await answer.json();
    expect(error.message).toBe(captionsMessages.captionsChanged);
    const removal = { intent: "remove", ...version };
    expect((await post(lessonId, "captions", removal)).status).toBe(409);
    const plain = { form: removal, headers: {} };
    const said = await ask(`/admin/lessons/${lessonId}/captions`, plain);
    expect([said.status, await said.text()]).toEqual([
      409,
      expect.stringContaining("somewhere else"),
    ]);
    expect(await getCaptions(site.services, lessonId)).toBe(kept);
    const seen = { version: (await panelOf(lessonId)).captionsVersion };
    expect((await send(lessonId, new Blob([other]), "", seen)).status).toBe(200);
  });

  test("sent twice are kept once, without a word; of two at once, one is told", async () => {
    const lessonId = await aLesson();
    const none = { version: await versionNow(lessonId) };
    const same = await Promise.all([1, 2].map(() => send(lessonId, new Blob([vtt]), "", none)));
    expect(same.map(({ status }) => status)).toEqual([200, 200]);
    const version = { version: await versionNow(lessonId) };
    const both = await Promise.all(
      ["A", "B"].map((word) => send(lessonId, new Blob([`${other} ${word}`]), "", version)),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test("without scripts lead back, or say what is wrong and how to get the words back", async () => {
    const lessonId = await aLesson();
    const good = await send(lessonId, new Blob([vtt]), "", { headers: {} });
    expect([good.status, toastOf(good)?.title]).toEqual([303, captionsMessages.saved.title]);
    const bad = await send(lessonId, null, "Dear <b>Anna</b>", { headers: {} });
    expect(bad.status).toBe(400);
    const page = await bad.text();
    expect(page).toContain("starts with the word WEBVTT");
    expect(page).toContain("back button brings back what you wrote");
    expect(page).not.toContain("Anna");
  });

  test("leave the lesson's revision alone: its form is not what changed", async () => {
    const lessonId = await aLesson();
    await send(lessonId, new Blob([vtt]));
    const { revision } = await site.services.db.read
      .selectFrom("lessons")
      .select("revision")
      .where("id", "=", lessonId)
      .executeTakeFirstOrThrow();
    expect(revision).toBe(1);
  });
});

describe.each(["video", "audio"] as const)("the transcript of a %s", (kind) => {
  const transcriptOf = async (lessonId: string) => (await panelOf(lessonId))[kind].transcript;
  const save = async (lessonId: string, text: string, version: string) => {
    const answer = await post(lessonId, "captions", { intent: "transcript", kind, text, version });
    return { status: answer.status, body: await answer.json() };
  };

  test("is kept, changed and emptied", async () => {
    const lessonId = await aLesson();
    let { version } = await transcriptOf(lessonId);
    for (const [typed, text] of [
      ["  One.\r\n\r\nTwo.\n", "One.\n\nTwo."],
      ["One.", "One."],
      [" ", ""],
    ] as const) {
      const { body } = await save(lessonId, typed, version);
      expect(body).toEqual({ is: "saved", transcript: { text, version: expect.any(String) } });
      expect(await transcriptOf(lessonId)).toEqual(body.transcript);
      version = body.transcript.version;
    }
  });

  test("that was changed elsewhere is not overwritten, and comes back", async () => {
    const lessonId = await aLesson();
    const { version } = await transcriptOf(lessonId);
    await save(lessonId, "From one tab.", version);
    const { status, body } = await save(lessonId, "From another.", version);
    expect([status, body.is, body.transcript.text]).toEqual([200, "changed", "From one tab."]);
    const { body: again } = await save(lessonId, "From another.", body.transcript.version);
    expect(again.is).toBe("saved");
  });

  test("sent twice is kept once, without a word", async () => {
    const lessonId = await aLesson();
    const { version } = await transcriptOf(lessonId);
    const [one, two] = await Promise.all([
      save(lessonId, "The same.", version),
      save(lessonId, "The same.", version),
    ]);
    expect([one.body.is, two.body.is]).toEqual(["saved", "saved"]);
  });

  test("of two that arrive at once, one is kept and the other is told", async () => {
    const lessonId = await aLesson();
    const { version } = await transcriptOf(lessonId);
    const both = await Promise.all(["A", "B"].map((text) => save(lessonId, text, version)));
    expect(both.map(({ body }) => body.is).sort()).toEqual(["changed", "saved"]);
  });

  test("that is a book is kept, and more is refused", async () => {
    const lessonId = await aLesson();
    const { version } = await transcriptOf(lessonId);
    expect((await save(lessonId, "ä".repeat(500_001), version)).status).toBe(400);
    expect((await save(lessonId, "ä".repeat(500_000), version)).status).toBe(200);
  });

  test("without scripts, one that was changed elsewhere is not overwritten either", async () => {
    const lessonId = await aLesson();
    const form = { intent: "transcript", kind, text: "Mine.", version: "another" };
    const answer = await ask(`/admin/lessons/${lessonId}/captions`, { form, headers: {} });
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain("was changed somewhere else");
    expect((await transcriptOf(lessonId)).text).toBe("");
  });
});

test("a form that is none of these is refused", async () => {
  const lessonId = await aLesson();
  for (const form of [
    {},
    { intent: "other" },
    { intent: "transcript", kind: "video" },
    { intent: "remove" },
    { intent: "captions", text: vtt },
  ])
    expect((await post(lessonId, "captions", form as Record<string, string>)).status).toBe(400);
});
