import { expect, test } from "vitest";
import { openingOf, openingWords } from "./rules.ts";

const start = new Date("2026-11-22T03:00:00Z");
const day = (date: Date) => date.toISOString().slice(5, 10);
const said = (dripDays: number[], hoursLater = 0) =>
  openingWords(openingOf(dripDays, start, new Date(start.getTime() + hoursLater * 3600_000)), day);

test.each<[string, number[], number]>([
  ["Its lessons are not there yet. You will find them in your course as soon as they are.", [], 0],
  ["Its lesson is open now.", [0], 0],
  ["All of its lessons are open now.", [0, 0, 0], 0],
  ["One lesson is open now. The next one opens on 11-23, the last on 11-28.", [0, 1, 2, 6], 0],
  ["Two lessons are open now. The next one opens on 11-24, the last on 11-28.", [0, 1, 2, 6], 24],
  ["One lesson is open now. The next one opens on 11-23, the last on 11-28.", [0, 1, 2, 6], 23.9],
  ["Three lessons are open now. The last one opens on 11-28.", [6, 1, 2, 0], 48],
  ["All of its lessons are open now.", [0, 1, 2, 6], 6 * 24],
  ["One lesson is open now. The others open on 11-29.", [0, 7, 7], 0],
  ["The first one opens on 11-29, the last on 12-06.", [7, 14], 0],
  ["Its lessons open on 11-29.", [7, 7], 0],
  ["Its lesson opens on 11-29.", [7], 0],
  ["12 lessons are open now. The last one opens on 11-23.", [...Array(12).fill(0), 1], 0],
])("%s (%#)", (words, dripDays, hours) => expect(said(dripDays, hours)).toBe(words));
