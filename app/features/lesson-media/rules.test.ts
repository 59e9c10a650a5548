import { describe, expect, test } from "vitest";
import { uploadRefusals } from "./messages.ts";
import {
  acceptOf,
  cleanFileName,
  extensionOf,
  isSameFile,
  lengthInWords,
  mediaKey,
  nextPace,
  nextTimeLeft,
  percentOf,
  retryDelay,
  sizeInWords,
  type TimeLeft,
  timeLeftInWords,
  typeByName,
  type UploadPace,
  uploadRefusal,
  uploadResponse,
} from "./rules.ts";

describe("a file's name in its key", () => {
  test.each([
    ["film.mp4", "film.mp4"],
    ["Film.MP4", "Film.mp4"],
    ["Grüße an Zoë – Teil 2 (final).mov", "Grusse-an-Zoe-Teil-2-final.mov"],
    ["../../etc/passwd.mp3", "etc-passwd.mp3"],
    ["C:\\fakepath\\my film.webm", "C-fakepath-my-film.webm"],
    [".hidden.mp4", "hidden.mp4"],
    ["...mp4", "mp4"],
    [".mp4", "mp4"],
    ["悲しみ.mp4", "file.mp4"],
    ["🕯️.wav", "file.wav"],
    ["a..b...c.mp4", "a.b.c.mp4"],
    ["a.tar.MP4 ", "a.tar.mp4"],
    ["<script>alert(1)</script>.mp4", "script-alert-1-script.mp4"],
    ["a\0b\r\nc.mp4", "a-b-c.mp4"],
    ["%2e%2e%2f.mp4", "2e-2e-2f.mp4"],
    ["", "file"],
    ["-", "file"],
    [`${"x".repeat(300)}.flac`, `${"x".repeat(75)}.flac`],
  ])("%j is %j", (name, clean) => expect(cleanFileName(name)).toBe(clean));

  test("is a key's last part whatever it was", () => {
    for (let code = 0; code < 0x3000; code += 1) {
      const clean = cleanFileName(
        `${String.fromCodePoint(code)}a${String.fromCodePoint(code)}.mp4`,
      );
      expect(clean).toMatch(/^[A-Za-z0-9][A-Za-z0-9.-]*\.mp4$/);
      expect(clean.length).toBeLessThanOrEqual(80);
    }
  });

  test("stands behind the module and the time", () =>
    expect(mediaKey("m", 1732190000123, "a b.MP3")).toBe("m/1732190000123-a-b.mp3"));
});

describe("a name says what a file has to be", () => {
  test.each([
    ["video", "a.mp4", "video/mp4"],
    ["video", "a.MOV", "video/quicktime"],
    ["audio", "a.m4a", "audio/mp4"],
    ["audio", "a.mp4", undefined],
    ["video", "a.mp3", undefined],
    ["video", "a.constructor", undefined],
    ["video", "a.html", undefined],
    ["video", "mp4", undefined],
  ] as const)("%s %s: %s", (kind, name, type) => expect(typeByName(kind, name)?.type).toBe(type));

  test("in the form as on the server", () => {
    expect(acceptOf("video")).toBe(".mp4,.m4v,.mov,.webm,video/mp4,video/quicktime,video/webm");
    for (const ending of acceptOf("audio")
      .split(",")
      .filter((one) => one.startsWith(".")))
      expect(typeByName("audio", `a${ending}`)).not.toBeNull();
  });

  test("endings are read from the end", () => {
    expect(extensionOf("a.b.MP4")).toBe("mp4");
    expect(extensionOf("a")).toBe("");
  });
});

describe("what is found in a file", () => {
  const both = { audio: true, video: true };
  const heard = { audio: true, video: false };
  const seen = { audio: false, video: true };
  const found = (extension: string | null, tracks: typeof both | null, broken = false) => ({
    extension,
    tracks,
    broken,
  });
  test.each([
    ["video", "a.mp4", found("mp4", both), null],
    ["video", "a.mp4", found("mov", seen), null],
    ["video", "a.mp4", found("mp4", null), null],
    ["audio", "a.m4a", found("mp4", heard), null],
    ["audio", "a.ogg", found("opus", heard), null],
    ["audio", "a.m4a", found("m4a", null), null],
    ["video", "a.mp4", found(null, null), uploadRefusals.notMedia.video],
    ["video", "a.mp4", found("png", null), uploadRefusals.notMedia.video],
    ["video", "a.mp4", found("avi", null), uploadRefusals.notMedia.video],
    ["video", "a.mp4", found("mp4", null, true), uploadRefusals.damaged],
    ["video", "a.mp4", found("mp4", { audio: false, video: false }), uploadRefusals.damaged],
    ["video", "a.mp4", found("mp4", heard), uploadRefusals.audioInVideo],
    ["video", "a.mp4", found("mp3", null), uploadRefusals.audioInVideo],
    ["audio", "a.m4a", found("mp4", both), uploadRefusals.videoInAudio],
    ["audio", "a.mp3", found("webm", seen), uploadRefusals.videoInAudio],
    ["audio", "a.mp3", found("webm", heard), uploadRefusals.notMedia.audio],
    [
      "audio",
      "a.mp3",
      found("wav", heard),
      "This file is named .mp3 but is a WAV file. Rename it to .wav, then upload it again.",
    ],
  ] as const)("%s %s: %j", (kind, name, inside, reason) =>
    expect(uploadRefusal(kind, name, inside)).toBe(reason),
  );
});

test.each([
  [5_000_000_000, "5 GB"],
  [2_440_000_000, "2.4 GB"],
  [350_400_000, "350 MB"],
  [1_500, "1.5 KB"],
  [12, "12 bytes"],
])("%i bytes are %s", (bytes, words) => expect(sizeInWords(bytes)).toBe(words));

test.each([
  [0, "0:00"],
  [499, "0:00"],
  [500, "0:01"],
  [59_499, "0:59"],
  [59_500, "1:00"],
  [187_000, "3:07"],
  [3_599_499, "59:59"],
  [3_600_000, "1:00:00"],
  [3_723_000, "1:02:03"],
  [360_000_000, "100:00:00"],
])("%i ms are %s", (ms, words) => {
  expect(lengthInWords(ms)).toBe(words);
});

test.each([
  [0, 10, 0],
  [1, 3, 33],
  [999, 1000, 99],
  [4_999_999_999, 5_000_000_000, 99],
  [10, 10, 100],
  [11, 10, 100],
  [-1, 10, 0],
  [0, 0, 0],
])("%i of %i bytes are %i %%", (received, size, percent) => {
  expect(percentOf(received, size)).toBe(percent);
});

describe("the time left", () => {
  const mega = 1_000_000;
  /** What is said while a file goes at these speeds (bytes a second), one reading a second. */
  function told(size: number, speeds: number[]): (string | null)[] {
    let [sent, pace, left]: [number, UploadPace | null, TimeLeft | null] = [0, null, null];
    return [0, ...speeds].map((speed, second) => {
      sent += speed;
      pace = nextPace(pace, second * 1000, sent);
      left = nextTimeLeft(left, pace, size - sent);
      return left && timeLeftInWords(left, second * 1000);
    });
  }
  const changes = (words: (string | null)[]) => words.filter((word, n) => word !== words[n - 1]);

  test("is not said before anything was measured", () => {
    expect(told(10 * mega, [mega])).toEqual([null, "a few seconds left"]);
  });

  test("only ever counts down at an even speed", () => {
    expect(changes(told(200 * mega, Array(195).fill(mega)))).toEqual([
      null,
      "about 3 minutes left",
      "about 2 minutes left",
      "about a minute left",
      "less than a minute left",
      "a few seconds left",
    ]);
  });

  test("does not jump where the speed does, second by second", () => {
    const nervous = Array.from({ length: 150 }, (_, n) => (n % 2 ? 1.8 : 0.2) * mega);
    const words = changes(told(600 * mega, nervous));
    const minutes = words.flatMap((word) => Number(/\d+/.exec(word ?? "")?.[0] ?? []));
    expect(minutes.slice(1)).toEqual(minutes.slice(1).toSorted((a, b) => b - a));
    expect(words.length).toBeLessThan(8);
  });

  test("is corrected when the line becomes slower for good", () => {
    const words = told(600 * mega, [...Array(20).fill(10 * mega), ...Array(60).fill(mega)]);
    expect(words[20]).toBe("less than a minute left");
    expect(words.at(-1)).toBe("about 6 minutes left");
  });

  test("stands for four seconds at least", () => {
    const words = told(600 * mega, [10 * mega, mega, mega, mega]);
    expect(new Set(words.slice(1)).size).toBe(1);
  });

  test("begins anew when what was sent turns out not to have arrived", () => {
    const before = nextPace(nextPace(null, 0, 0), 1000, 5 * mega);
    expect(nextPace(before, 2000, 3 * mega)).toEqual({ at: 2000, sent: 3 * mega, speed: null });
  });

  test("is not guessed from readings that lie too close", () => {
    const before: UploadPace = { at: 1000, sent: 10, speed: 5 };
    expect(nextPace(before, 1499, 20)).toBe(before);
    expect(nextPace(before, 1500, 20)).not.toBe(before);
  });

  test("stays as it was said while nothing moves", () => {
    const said = { seconds: 50, at: 0 };
    expect(nextTimeLeft(said, { at: 9000, sent: 5, speed: 0 }, 100)).toBe(said);
    expect(nextTimeLeft(null, { at: 9000, sent: 5, speed: null }, 100)).toBe(null);
  });

  test.each([
    [0, "a few seconds left"],
    [9.9, "a few seconds left"],
    [10, "less than a minute left"],
    [44, "less than a minute left"],
    [45, "about a minute left"],
    [89, "about a minute left"],
    [90, "about 2 minutes left"],
    [5 * 60, "about 5 minutes left"],
    [9.9 * 60, "about 10 minutes left"],
    [12 * 60, "about 10 minutes left"],
    [13 * 60, "about 15 minutes left"],
    [52 * 60, "about 50 minutes left"],
    [53 * 60, "about an hour left"],
    [75 * 60, "about an hour and a half left"],
    [106 * 60, "about 2 hours left"],
    [23.4 * 3600, "about 23 hours left"],
    [24 * 3600, "more than a day left"],
    [Number.POSITIVE_INFINITY, "more than a day left"],
  ])("%d seconds are %s", (seconds, words) => {
    expect(timeLeftInWords({ seconds, at: 5 }, 5)).toBe(words);
  });

  test("counts down between two readings, and not below nothing", () => {
    expect(timeLeftInWords({ seconds: 100, at: 0 }, 50_000)).toBe("about a minute left");
    expect(timeLeftInWords({ seconds: 1, at: 0 }, 50_000)).toBe("a few seconds left");
  });
});

describe("a file chosen again", () => {
  const chosen = { name: "grief.mp4", size: 10, lastModified: 5 };
  const stopped = { fileName: "grief.mp4", size: 10 };
  test.each([
    ["the same", {}, chosen, true],
    ["the same on another computer, as far as can be told", {}, null, true],
    ["changed since", { lastModified: 6 }, chosen, false],
    ["longer", { size: 11 }, chosen, false],
    ["of another name", { name: "Grief.mp4" }, chosen, false],
    ["with blanks around its name, which the site leaves out", { name: " grief.mp4" }, null, true],
    ["with signs in its name that the site leaves out", { name: "gri\u202eef.mp4" }, null, true],
  ])("%s", (_, difference, remembered, isSame) => {
    expect(isSameFile({ ...chosen, ...difference }, stopped, remembered)).toBe(isSame);
  });
});

test("tries come at once, then ever later, twice a minute at least", () => {
  const waits = Array.from({ length: 10 }, (_, attempt) => retryDelay(attempt));
  expect(waits.slice(0, 4)).toEqual([500, 1000, 2000, 4000]);
  expect(waits.at(-1)).toBe(30_000);
  expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  expect(retryDelay(10_000)).toBe(30_000);
});

test.each([
  [0, "again"],
  [408, "again"],
  [409, "again"],
  [423, "again"],
  [425, "again"],
  [429, "again"],
  [500, "again"],
  [502, "again"],
  [503, "again"],
  [507, "refused"],
  [404, "gone"],
  [410, "gone"],
  [302, "signed-out"],
  [401, "signed-out"],
  [400, "refused"],
  [403, "refused"],
  [413, "refused"],
  [415, "refused"],
])("status %i means %s", (status, meaning) => {
  expect(uploadResponse(status)).toBe(meaning);
});
