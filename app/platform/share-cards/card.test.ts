import { expect, test } from "vitest";
import { boundedCard, charactersOf, type ShareCard, shareCardName } from "./card.ts";

const card: ShareCard = { brand: "Blue Dot", title: "7 Days of Calm", drawing: "stones" };
const titled = (title: string) => boundedCard({ ...card, title }).title;

test("shareCardName: is the same for the same words, and another for others", () => {
  const name = shareCardName(card);
  expect(name).toMatch(/^[\da-f]{32}$/);
  expect(shareCardName({ ...card, line: "" })).toBe(name);
  expect(shareCardName({ ...card, title: "  7 Days\tof \n Calm\u0000" })).toBe(name);
  const others = [
    { ...card, brand: "Red Dot" },
    { ...card, title: "8 Days of Calm" },
    { ...card, line: "A kit" },
    { ...card, drawing: "water" as const },
    { ...card, title: "7 Days", line: "of Calm" },
  ];
  expect(new Set([name, ...others.map(shareCardName)]).size).toBe(6);
});

test("boundedCard: leaves what has room as it is", () => {
  const title = "Chết là hết? 100 % “yes” — <b>&amp;</b> ]]>";
  expect(titled(title)).toBe(title);
  expect(titled("Blue\u00a0Dot  Method")).toBe("Blue\u00a0Dot Method");
});

test.each([
  ["120 characters", "ab ".repeat(40), 119],
  ["121 characters", `${"ab ".repeat(40)}x`, 120],
  ["100,000 characters", "long ".repeat(20_000), 120],
  ["emoji of many parts", "👩‍👩‍👧‍👦".repeat(200), 120],
])("boundedCard: a title of %s", (_, title, characters) => {
  const bounded = titled(title);
  expect(charactersOf(bounded).length).toBeLessThanOrEqual(characters);
  expect(bounded.endsWith("…")).toBe(charactersOf(title.trim()).length > 120);
});

test("boundedCard: control characters, halves of characters and marks of direction are gone", () => {
  expect(titled("a\u0000b\u001b[31mc\u202ed\ud800e\u2066f\u200bg\ufefeh")).toBe("ab[31mcdefgh");
});

test("boundedCard: ten thousand accents on one character end", () => {
  expect(titled(`a${"\u0301".repeat(10_000)}`).length).toBeLessThanOrEqual(1001);
});
