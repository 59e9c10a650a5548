import { describe, expect, test } from "vitest";
import {
  acceptOf,
  cleanFileName,
  extensionOf,
  mediaKey,
  refusalOf,
  sizeInWords,
  typeByName,
} from "./rules.ts";
import { refusals } from "./texts.ts";

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
    ["video", "a.mp4", found(null, null), refusals.notMedia.video],
    ["video", "a.mp4", found("png", null), refusals.notMedia.video],
    ["video", "a.mp4", found("avi", null), refusals.notMedia.video],
    ["video", "a.mp4", found("mp4", null, true), refusals.damaged],
    ["video", "a.mp4", found("mp4", { audio: false, video: false }), refusals.damaged],
    ["video", "a.mp4", found("mp4", heard), refusals.audioInVideo],
    ["video", "a.mp4", found("mp3", null), refusals.audioInVideo],
    ["audio", "a.m4a", found("mp4", both), refusals.videoInAudio],
    ["audio", "a.mp3", found("webm", seen), refusals.videoInAudio],
    ["audio", "a.mp3", found("webm", heard), refusals.notMedia.audio],
    [
      "audio",
      "a.mp3",
      found("wav", heard),
      "This file is named .mp3 but is a WAV file. Rename it to .wav, then upload it again.",
    ],
  ] as const)("%s %s: %j", (kind, name, inside, reason) =>
    expect(refusalOf(kind, name, inside)).toBe(reason),
  );
});

test.each([
  [5_000_000_000, "5 GB"],
  [2_440_000_000, "2.4 GB"],
  [350_400_000, "350 MB"],
  [1_500, "1.5 KB"],
  [12, "12 bytes"],
])("%i bytes are %s", (bytes, words) => expect(sizeInWords(bytes)).toBe(words));
