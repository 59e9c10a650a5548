import { describe, expect, test } from "vitest";
import { type Format, format } from "./markdown-format.ts";

/** A text with its selection between '«' and '»', or its caret at '|'. */
function read(sketch: string) {
  const caret = sketch.indexOf("|");
  if (caret >= 0) return { text: sketch.replace("|", ""), start: caret, end: caret };
  const start = sketch.indexOf("«");
  return { text: sketch.replace(/[«»]/g, ""), start, end: sketch.lastIndexOf("»") - 1 };
}

/** The same for what a button made of it. */
function press(what: Format, sketch: string): string {
  const selected = read(sketch);
  const { from, to, insert, start, end } = format(what, selected);
  const text = selected.text.slice(0, from) + insert + selected.text.slice(to);
  if (start === end) return `${text.slice(0, start)}|${text.slice(start)}`;
  return `${text.slice(0, start)}«${text.slice(start, end)}»${text.slice(end)}`;
}

const rows: [Format, string, string][] = [
  ["bold", "a «word» b", "a **«word»** b"],
  ["bold", "a **«word»** b", "a «word» b"],
  ["bold", "a «**word**» b", "a «word» b"],
  ["bold", "a wo|rd b", "a **wo|rd** b"],
  ["bold", "a **wo|rd** b", "a wo|rd b"],
  ["bold", "a| b", "**a|** b"],
  ["bold", "|", "**|**"],
  ["bold", "x «y» z", "x **«y»** z"],
  ["bold", "a« word »b", "a **«word»** b"],
  ["bold", "*«it»*", "***«it»***"],
  ["bold", "***«it»***", "*«it»*"],
  ["bold", "it’|s", "**it’|s**"],
  ["bold", "«one\n\n- two»", "«**one**\n\n- **two**»"],
  ["bold", "«**one**\n\n- **two**»", "«one\n\n- two»"],
  ["bold", "**bold|** x", "**bold**| x"],
  ["italic", "*soft|* x", "*soft*| x"],
  ["italic", "a «word» b", "a *«word»* b"],
  ["italic", "a *«word»* b", "a «word» b"],
  ["italic", "a **«word»** b", "a ***«word»*** b"],
  ["italic", "a ***«word»*** b", "a **«word»** b"],
  ["heading", "one\ntw|o\nthree", "one\n## tw|o\nthree"],
  ["heading", "## tw|o", "### tw|o"],
  ["heading", "### tw|o", "tw|o"],
  ["heading", "# tw|o", "tw|o"],
  ["heading", "|", "## |"],
  ["heading", "«a\n\nb»", "«## a\n\n## b»"],
  ["quote", "tw|o", "> tw|o"],
  ["quote", "> tw|o", "tw|o"],
  ["quote", "tw|o\nnext", "> tw|o\n\nnext"],
  ["bullets", "«a\nb\n»c", "«- a\n- b»\n\nc"],
  ["bullets", "«- a\n- b»", "«a\nb»"],
  ["bullets", "a|\n\nb", "- a|\n\nb"],
  ["bullets", "- |a", "|a"],
  ["numbers", "«a\n\nb»", "«1. a\n\n2. b»"],
  ["numbers", "«- a\n- b»", "«1. a\n2. b»"],
  ["numbers", "«1. a\n2. b»", "«a\nb»"],
  ["numbers", "- a|\n- b", "1. a|\n\n- b"],
  ["link", "a «word» b", "a [word](«https://») b"],
  ["link", "«https://a.example/x»", "[|](https://a.example/x)"],
  ["link", "a | b", "a [|](https://) b"],
  ["link", "wo|rd", "[word](«https://»)"],
  ["rule", "one|\ntwo", "one\n\n---\n\n|two"],
  ["rule", "one\n\n|", "one\n\n---\n\n|"],
  ["rule", "|", "---\n\n|"],
  ["rule", "one|\n\ntwo", "one\n\n---\n\n|two"],
];

describe("the buttons above a text", () => {
  test.each(rows)("%s: %j becomes %j", (what, before, after) => {
    expect(press(what, before)).toBe(after);
  });

  const toggled = (["bold", "italic", "quote", "bullets", "numbers"] as const).flatMap((what) =>
    ["a «word» b", "«one\ntwo»", "ü |ö", "«wörter ohne ende»"].map((text) => [what, text] as const),
  );
  test.each(toggled)("%s pressed twice on %j takes back what it did", (what, before) => {
    const { text } = read(before);
    expect(read(press(what, press(what, before))).text).toBe(text);
  });

  test("work anywhere in a long text without looking at all of it twice", () => {
    const text = "word ".repeat(60_000);
    const started = performance.now();
    for (let at = 0; at < text.length; at += 10_000) format("bold", { text, start: at, end: at });
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
