import { describe, expect, test } from "vitest";
import { newId } from "~/platform/db/ids.ts";
import { growth, inProportion } from "../../../tests/support/growth.ts";
import { pictureLine, picturesIn, placedPictures, waitingLine, waitingPicture } from "./rules.ts";

describe("the line of a picture", () => {
  test.each(["", "Hills", "[a] \\ ](x) [b", "![x](picture:y)", "\\", "two\n\n  lines "])(
    "is found with its words: %j",
    (alt) => {
      const id = newId();
      const line = pictureLine(id, alt);
      const [found, ...more] = placedPictures(`a\n\n${line}\n\nb`, 10);
      const words = alt.replace(/\s+/g, " ").trim();
      expect(found).toEqual({ id, alt: words, from: 3, to: 3 + line.length });
      expect([more, picturesIn(line)]).toEqual([[], [id]]);
    },
  );

  test("waits under the name of its file", () => {
    expect(waitingPicture(`a ${waitingLine("water [1].jpg", newId())} b`)).toBe("water [1].jpg");
    expect(waitingPicture(`a ${pictureLine(newId(), "uploading")} b`)).toBeNull();
  });
});

test.each(["![", "![]", "![a", "\\", "![\\", "](picture:", "!["])(
  "the time to look for pictures grows with a text of %j",
  (sign) => {
    const prepare = (size: number) => sign.repeat(size / sign.length);
    const work = (text: string) => [placedPictures(text, 50), waitingPicture(text)];
    expect(growth(prepare, work, 20_000)).toBeLessThan(inProportion);
  },
);
