import { describe, expect, test } from "vitest";
import { growth, inProportion } from "../../../tests/support/growth.ts";
import { countCues, decodeCaptions, readCaptions, transcriptOf, writeVtt } from "./captions.ts";
import { captionsErrors } from "./messages.ts";

/** What is stored of captions. */
function stored(source: string): string {
  const read = readCaptions(source);
  if (!read.ok) throw new Error(read.message);
  return writeVtt(read.cues);
}
const fault = (source: string) => {
  const read = readCaptions(source);
  return read.ok ? "taken" : read.message;
};
const one = (body: string) => `WEBVTT\n\n${body}`;

describe("readCaptions", () => {
  test.each([
    ["plain", one("00:01.000 --> 00:02.500\nGood morning.")],
    ["hours", one("00:00:01.000 --> 00:00:02.500\nGood morning.")],
    ["no fraction, but for the end", one("00:01 --> 00:02.500\nGood morning.")],
    ["Windows line ends", one("00:01.000 --> 00:02.500\nGood morning.").replaceAll("\n", "\r\n")],
    ["old Mac line ends", one("00:01.000 --> 00:02.500\nGood morning.").replaceAll("\n", "\r")],
    ["a byte order mark", `\uFEFF${one("00:01.000 --> 00:02.500\nGood morning.")}`],
    ["a header", "WEBVTT\nKind: captions\nLanguage: en\n\n00:01.000 --> 00:02.500\nGood morning."],
    ["no empty line below the header", "WEBVTT\n00:01.000 --> 00:02.500\nGood morning."],
    ["a name", one("intro\n00:01.000 --> 00:02.500\nGood morning.")],
    ["notes", one("NOTE\nfor me\n\n00:01.000 --> 00:02.500\nGood morning.\n\nNOTE the end")],
    ["regions", one("REGION\nid:a\nwidth:40%\n\n00:01.000 --> 00:02.500\nGood morning.")],
    [
      "a caption without words",
      one("00:00.000 --> 00:01.000\n\n00:01.000 --> 00:02.500\nGood morning."),
    ],
    ["SubRip", "1\n00:00:01,000 --> 00:00:02,500\nGood morning."],
    ["SubRip without numbers", "00:00:01,000 --> 00:00:02,500\nGood morning."],
    [
      "SubRip with fonts and places",
      '1\n00:00:01,000 --> 00:00:02,500 X1:40\n{\\an8}<font color="red">Good morning.</font>',
    ],
    [
      "SubRip whose last number has no words",
      "1\n00:00:01,000 --> 00:00:02,500\nGood morning.\n\n2\n",
    ],
  ])("takes %s", (_, source) => {
    expect(stored(source)).toBe("WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nGood morning.\n");
  });

  test("says whether it was SubRip", () => {
    const converted = (source: string) => {
      const read = readCaptions(source);
      return read.ok && read.converted;
    };
    expect(converted("1\n00:00:01,000 --> 00:00:02,000\nA")).toBe(true);
    expect(converted(one("00:01.000 --> 00:02.000\nA"))).toBe(false);
  });

  test("keeps settings, lines and tags, and nothing else", () => {
    const cue =
      "00:01.000 --> 00:02.000 align:start position:10%,line-left x:<b> line:-1\n<v Anna>One\n<i>two</i>";
    expect(stored(one(cue))).toBe(
      "WEBVTT\n\n00:00:01.000 --> 00:00:02.000 align:start position:10%,line-left line:-1\n<v Anna>One\n<i>two</i>\n",
    );
  });

  test.each([
    ["I <3 you", "I &lt;3 you"],
    ["<script>alert(1)</script>", "&lt;script>alert(1)&lt;/script>"],
    ["<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)>"],
    ["<i never closed", "&lt;i never closed"],
    ["Salt & water &amp; time &nbsp;", "Salt &amp; water &amp; time &nbsp;"],
    ["It&#39;s &quot;so&quot; &apos;so&apos;", "It's \"so\" 'so'"],
    ["&#8217;&#x2019;&#X2019;&#146; &#128153;", "’’’’ 💙"],
    ["&#60;i>no tag&#60;/i&#62;", "&lt;i>no tag&lt;/i&gt;"],
    ["&#38;lt; &#38;#39;", "&amp;lt; &amp;#39;"],
    ["one&#10;two&#13;three", "one two three"],
    ["here --&#62; there &#45;&#45;> on", "here --&gt; there --&gt; on"],
    ["&#0;&#xD800;&#1114112;&#9999999;", "\uFFFD\uFFFD\uFFFD\uFFFD"],
    ["&eacute; &#; &#x; &#12345678; &;", "&amp;eacute; &amp;#; &amp;#x; &amp;#12345678; &amp;;"],
    ["<c.loud>Hey</c> <00:01.500>you", "<c.loud>Hey</c> <00:01.500>you"],
    [
      "<lang de>Ach</lang> <ruby>a<rt>b</rt></ruby>",
      "<lang de>Ach</lang> <ruby>a<rt>b</rt></ruby>",
    ],
  ])("keeps %s as %s", (words, expected) => {
    expect(stored(one(`00:01.000 --> 00:02.000\n${words}`))).toContain(`\n${expected}\n`);
  });

  test("takes captions without empty lines between them", () => {
    const source = "1\n00:00:01,000 --> 00:00:02,000\nOne\n2\n00:00:03,000 --> 00:00:04,000\nTwo";
    const read = readCaptions(source);
    expect(read.ok && read.cues.map(({ text }) => text)).toEqual(["One", "Two"]);
  });

  test("reads its own result as the same again", () => {
    const once = stored(one("x\n01:02:03.004 --> 101:02:03.004 line:0\n<v Anna>A & b <3\nc"));
    expect(stored(once)).toBe(once);
    expect(countCues(once)).toBe(1);
  });

  test("countCues: counts captions, whatever the text is", () => {
    const two = stored(one("00:01.000 --> 00:02.000\nA\n\n00:03.000 --> 00:04.000\nB\nC"));
    expect(countCues(two)).toBe(2);
  });
});

describe("readCaptions: refuses", () => {
  const at = (text: string, line: number) => text.replace("{line}", String(line));
  test.each([
    ["nothing", "", captionsErrors.empty],
    ["a film", "\0\0\0 ftypmp42", captionsErrors.notText],
    ["other words", "Dear Anna,\nthank you.", at(captionsErrors.noHeader, 1)],
    ["other words, further down", "\n\nDear Anna", at(captionsErrors.noHeader, 3)],
    [
      "a header that only begins alike",
      "WEBVTTX\n\n00:01.000 --> 00:02.000\nA",
      at(captionsErrors.noHeader, 1),
    ],
    ["times without a header", "00:01.000 --> 00:02.000\nA", at(captionsErrors.noHeader, 1)],
    ["a header alone", "WEBVTT", captionsErrors.noCaptions],
    ["times alone", one("00:01.000 --> 00:02.000"), captionsErrors.noCaptions],
    ["a time without seconds", one("00 --> 00:02.000\nA"), at(captionsErrors.time, 3)],
    ["a minute of 60", one("60:00.000 --> 61:00.000\nA"), at(captionsErrors.time, 3)],
    ["a second of 60", one("00:60.000 --> 01:01.000\nA"), at(captionsErrors.time, 3)],
    ["four digits of a second", one("00:01.0000 --> 00:02.000\nA"), at(captionsErrors.time, 3)],
    ["no end", one("00:01.000 -->\nA"), at(captionsErrors.time, 3)],
    [
      "an arrow in the words",
      one("00:01.000 --> 00:02.000\nhere --> there"),
      at(captionsErrors.time, 4),
    ],
    ["an end before the start", one("00:02.000 --> 00:01.000\nA"), at(captionsErrors.backwards, 3)],
    [
      "words without a time",
      one("00:01.000 --> 00:02.000\nA\n\nlost words"),
      at(captionsErrors.noTime, 6),
    ],
    [
      "two lines above the time",
      one("one\ntwo\n00:01.000 --> 00:02.000\nA"),
      at(captionsErrors.noTime, 3),
    ],
    [
      "a broken line of SubRip",
      "1\n00:00:01,000 --> 00:00:02,000\nA\n\n2\n00:00:0x,000 --> 00:00:04,000\nB",
      at(captionsErrors.time, 6),
    ],
  ])("%s", (_, source, message) => {
    expect(fault(source)).toBe(message);
  });

  test("with the line of the file, whatever its line ends", () => {
    expect(fault("WEBVTT\r\n\r\n00:01.000 --> 00:02.000\r\nA\r\n\r\nNOTE x\r\n\r\nlost")).toBe(
      at(captionsErrors.noTime, 8),
    );
  });

  test.each([
    ["captions without a line between them", "00:01.000 --> 00:02.000\nA\nB\n"],
    ["captions in the wrong order", "01:00.000 --> 01:01.000\nA\n\n00:01.000 --> 00:02.000\nB\n\n"],
    ["lines of one caption", "A\nB\n"],
    ["tags that never end", "<c "],
    ["signs that are no tags", "<<<& "],
    ["numbers of characters", "&#39;&#"],
    ["arrows", "a --> "],
    ["blanks", "          "],
    ["settings", "a:b "],
    ["notes", "\n\nNOTE a"],
    ["old line ends", "\r00:01.000 --> 00:02.000\rA\r"],
  ])("readCaptions: its time for %s grows with their number", (_, piece) => {
    const prepare = (size: number) =>
      one(`00:01.000 --> 00:02.000\n${piece.repeat(size / piece.length)}`);
    const work = (source: string) => {
      const read = readCaptions(source);
      if (read.ok) transcriptOf(writeVtt(read.cues));
    };
    expect(growth(prepare, work, 5_000)).toBeLessThan(inProportion);
  });
});

describe("decodeCaptions", () => {
  test.each([
    ["UTF-8", new TextEncoder().encode("Café “so”")],
    ["UTF-16, little end first", Uint8Array.from(Buffer.from("\uFEFFCafé “so”", "utf16le"))],
    ["UTF-16, big end first", Uint8Array.from(Buffer.from("\uFEFFCafé “so”", "utf16le").swap16())],
    ["Windows", Uint8Array.from([67, 97, 102, 0xe9, 32, 0x93, 115, 111, 0x94])],
  ])("%s", (_, bytes) => {
    expect(decodeCaptions(bytes)).toBe("Café “so”");
  });
});

describe("transcriptOf", () => {
  const from = (...cues: [string, string, string][]) =>
    transcriptOf(
      `WEBVTT\n\n${cues.map(([a, b, words]) => `${a} --> ${b}\n${words}`).join("\n\n")}`,
    );

  test("joins what is said without a pause, and breaks where there is one", () => {
    expect(
      from(
        ["00:01.000", "00:02.000", "Good\nmorning."],
        ["00:03.999", "00:05.000", "Sit down."],
        ["00:07.000", "00:08.000", "Breathe."],
      ),
    ).toBe("Good morning. Sit down.\n\nBreathe.");
  });

  test("follows the times, not the order in the file", () => {
    expect(from(["00:03.000", "00:04.000", "two"], ["00:01.000", "00:02.500", "One"])).toBe(
      "One two",
    );
  });

  test("names speakers where they change", () => {
    expect(
      from(
        ["00:01.000", "00:02.000", "<v Anna>Hello."],
        ["00:02.000", "00:03.000", "<v Anna>Come in."],
        ["00:03.000", "00:04.000", "<v.loud Ben &amp; Bo>Thank you."],
      ),
    ).toBe("Anna: Hello. Come in.\n\nBen & Bo: Thank you.");
  });

  test("has no tags, and letters instead of their names", () => {
    expect(
      from(["00:01.000", "00:02.000", "<i>I</i> &lt;3 salt&nbsp;&amp; <00:01.500>water&lrm;"]),
    ).toBe("I <3 salt & water");
  });

  test("says once what rolling captions repeat", () => {
    expect(
      from(
        ["00:01.000", "00:02.000", "it was"],
        ["00:02.000", "00:03.000", "it was\na long night"],
        ["00:03.000", "00:04.000", "a long night\nand cold"],
      ),
    ).toBe("it was a long night and cold");
  });

  test("begins a new paragraph after a sentence when one is long", () => {
    const sentence = `${"word ".repeat(99)}end.`;
    const text = from(
      ["00:01.000", "00:02.000", sentence],
      ["00:02.000", "00:03.000", "Next"],
      ["00:03.000", "00:04.000", "one."],
    );
    expect(text).toBe(`${sentence}\n\nNext one.`);
  });

  test("is empty for what is no captions", () => {
    expect(transcriptOf("Dear Anna")).toBe("");
  });
});
