import { readFileSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { projectRoot } from "../utils/version.ts";
import { drawingNames, type ShareCard, shareCardName } from "./card.ts";
import { colors, composeCard } from "./compose.ts";
import { drawShareCard } from "./draw.ts";
import { aboutPng } from "./png.ts";
import { printable } from "./type.ts";

const card: ShareCard = { brand: "Blue Dot", title: "My brother died", drawing: "water" };
const outlines = (svg: string) => svg.match(/<path transform/g)?.length ?? 0;

describe("a share picture", () => {
  test.each(drawingNames)(
    "with %s is small, of the right size, and says its words",
    async (one) => {
      const asked = { ...card, line: "For people who are living with loss.", drawing: one };
      const png = await drawShareCard(asked);
      expect(aboutPng(png)).toEqual({ width: 1200, height: 630, mark: shareCardName(asked) });
      expect(png.length).toBeLessThan(60_000);
      const { channels } = await sharp(png).stats();
      // From the paper to the ink: it is neither empty nor black.
      expect(channels.map(({ min, mean }) => [min < 60, mean > 200])).toEqual(
        Array.from({ length: 3 }, () => [true, true]),
      );
    },
  );

  test("is drawn with the colors of the day, of which none is left to a browser", () => {
    const tokens = readFileSync(path.join(projectRoot, "app/ui/styles/tokens.css"), "utf8");
    for (const [name, color] of Object.entries(colors))
      expect(tokens, name).toContain(`--${name}: light-dark(${color},`);
    for (const drawing of drawingNames)
      expect(composeCard({ ...card, drawing })).not.toMatch(/var\(|currentColor|undefined/);
  });

  test("has no words as text, so that none is read as markup", () => {
    const title = `<script>&"' ]]> <!-- </svg>`;
    const svg = composeCard({ ...card, title, brand: "<b>", line: "&lt;" });
    expect(svg).not.toMatch(/script|\]\]|<!--|<b>|&/);
    expect(outlines(svg)).toBeGreaterThan(20);
  });

  test("shows Polish, Turkish and Vietnamese, and what it lacks without accents", () => {
    for (const words of ["Żałoba", "Şişli", "Những người đã mất", "Győr"])
      expect(printable(words, "serif")).toBe(words);
    expect(printable("ḱlear ẍ", "serif")).toBe("klear x");
    expect(printable("Grief 🕯️ and us", "serif")).toBe("Grief and us");
  });

  test.each(["悲しみの中で", "שלום עולם", "الحزن", "🕯️🕯️", ""])(
    "shows the brand large where no font has the words: '%s'",
    (title) => {
      expect(printable(title, "serif")).toBe("");
      expect(outlines(composeCard({ ...card, title }))).toBe("BlueDot".length);
    },
  );

  test.each([
    ["100,000 characters", "x".repeat(100_000)],
    ["words without end", "grief ".repeat(20_000)],
    ["control characters", "a\u0000\u0007\u001b\u007f\u0085b\r\n\tc"],
    ["emoji", "👩‍👩‍👧‍👦 one 🕯️ two 🇺🇦 three"],
    ["right to left", "\u202eabc\u202c שלום \u2067x"],
    ["signs of XML", `<&>"' ]]> <![CDATA[ <?xml ?> <svg onload=1>`],
    ["one character under thousands of accents", `a${"\u0301".repeat(50_000)}`],
    ["half a character", "a\ud800b\udc00c"],
  ])("is drawn whatever the title is: %s", async (_, title) => {
    const png = await drawShareCard({ ...card, title, line: title, brand: title });
    expect(aboutPng(png)).toMatchObject({ width: 1200, height: 630 });
    expect(png.length).toBeLessThan(100_000);
  });
});

test("drawing a share picture: fails when its process is killed, and goes on after that", async () => {
  await expect(drawShareCard(card, { ms: 1 })).rejects.toThrow("ended by SIGKILL");
  expect((await drawShareCard(card)).length).toBeGreaterThan(1000);
});

test("drawing a share picture: fails for a drawing that there is none of", async () => {
  const unknown = { ...card, drawing: "../../../etc/passwd" as "water" };
  await expect(drawShareCard(unknown)).rejects.toThrow("was not drawn");
});
