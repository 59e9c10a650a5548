import { opensAt } from "../rules.ts";

/** What of a course is open at some moment, and when the rest of it opens. */
export type Opening = {
  lessons: number;
  open: number;
  /** When the next locked lesson opens, and the last of all; null when none is locked. */
  next: Date | null;
  last: Date | null;
};

/** How a course opens for somebody, from the drip days of its lessons. */
export function openingOf(dripDays: readonly number[], enrolledAt: Date, now: Date): Opening {
  const locked = dripDays
    .map((day) => opensAt(day, enrolledAt).getTime())
    .filter((time) => time > now.getTime());
  return {
    lessons: dripDays.length,
    open: dripDays.length - locked.length,
    next: locked.length > 0 ? new Date(Math.min(...locked)) : null,
    last: locked.length > 0 ? new Date(Math.max(...locked)) : null,
  };
}

const words = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];

/**
 * The same in a sentence or two. `day` says a date as its reader does: 'Monday, November 23'.
 */
export function openingWords(opening: Opening, day: (date: Date) => string): string {
  const { lessons, open, next, last } = opening;
  if (lessons === 0)
    return "Its lessons are not there yet. You will find them in your course as soon as they are.";
  if (!next || !last)
    return lessons === 1 ? "Its lesson is open now." : "All of its lessons are open now.";
  const [first, final] = [day(next), day(last)];
  const now =
    open === 0
      ? ""
      : `${words[open] ?? open} ${open === 1 ? "lesson is" : "lessons are"} open now. `;
  const waiting = lessons - open;
  if (waiting === 1)
    return `${now}${open === 0 ? "Its lesson" : "The last one"} opens on ${first}.`;
  if (first === final)
    return `${now}${open === 0 ? "Its lessons" : "The others"} open on ${first}.`;
  return `${now}The ${open === 0 ? "first" : "next"} one opens on ${first}, the last on ${final}.`;
}
