import { courseFormMessages, highestPriceCents, lowestPriceCents } from "./messages.ts";

const dollars = (digits: number) =>
  new Intl.NumberFormat("en-US", {
    style: "currency",
    currency: "USD",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
/** Courses with a route of their own, which is there whatever becomes of them (spec 2). */
export const dedicatedPages: readonly string[] = ["blue-dot-method", "seven-days-of-calm"];

export const hasDedicatedPage = (slug: string): boolean => dedicatedPages.includes(slug);

export const freePriceLabel = "Free";

const exact = dollars(2);
const whole = dollars(0);

/** The price of a course from cents: '$197.00' (spec 9: two decimals), or 'Free'. */
export function formatPrice(cents: number): string {
  if (cents === 0) return freePriceLabel;
  return exact.format(cents / 100);
}

/** '$197' for buttons (spec 2, Blue Dot course page), from cents; decimals only if any. */
export function formatPriceShort(cents: number): string {
  return (cents % 100 === 0 ? whole : exact).format(cents / 100);
}

/** Splits 'Week 1: Where you are' into number and title; number is null for titles without one. */
export function titleParts(title: string): { number: string | null; title: string } {
  const [, number, rest] = /^(\p{L}+ \d+): (.*\S)/u.exec(title) ?? [];
  return number && rest ? { number, title: rest } : { number: null, title };
}

type CourseStanding = {
  active: boolean;
  comingSoon: boolean;
  priceCents: number | null;
  /** Whether money can be taken here at all. */
  canSell: boolean;
  /** A page in content/pages, which is there whatever becomes of the course. */
  hasOwnPage: boolean;
};

function openWords({ priceCents, canSell }: CourseStanding): string {
  if (priceCents === 0) return "visitors can enroll for free";
  const price = priceCents === null ? "" : ` for ${formatPrice(priceCents)}`;
  if (canSell) return `visitors can buy it${price}`;
  return "visitors see its price but cannot buy it, as Stripe is not connected";
}

export function visitorsSee(course: CourseStanding): string {
  const { active, comingSoon, hasOwnPage } = course;
  if (!active)
    return hasOwnPage
      ? "Inactive: visitors see its page with “Coming Soon” and cannot enroll. Enrolled students keep it."
      : "Inactive: visitors find no page of it. Enrolled students keep it.";
  if (!comingSoon) return `Active: ${openWords(course)}.`;
  return "Active, coming soon: visitors see its page with “Coming Soon” and cannot enroll yet.";
}

/** What the choice 'Coming soon' means for visitors. */
export function comingSoonHint(course: CourseStanding): string {
  const choice = `Yes: visitors see “Coming Soon” and can join the newsletter, but not enroll. No: ${openWords(course)}.`;
  if (course.active) return choice;
  const now = course.hasOwnPage ? "its page says “Coming Soon” anyway" : "visitors find no page";
  return `${choice} While the course is inactive, ${now}.`;
}

type Money = { cents: number } | { problem: "missing" | "unclear" | "negative" | "fine" };

/** Parses '197', '197.5' or '$1,197.50' into the currency's smallest unit, by characters so that no
 * cent is lost. `fine`: more decimals than the currency has. */
export function parseMoney(typed: string, decimals = 2): Money {
  const text = typed.replace(/\s/g, "").replace(/^(-?)(US)?\$/i, "$1");
  if (text === "" || text === "-") return { problem: "missing" };
  const parts = /^(-?)(\d+|\d{1,3}(?:,\d{3})+)?(?:\.(\d*))?$/.exec(text);
  const [, sign, whole = "", fraction = ""] = parts ?? [];
  if (!parts || whole + fraction === "") return { problem: "unclear" };
  if (sign) return { problem: "negative" };
  if (fraction.length > decimals) return { problem: "fine" };
  return { cents: Number(whole.replaceAll(",", "") + fraction.padEnd(decimals, "0")) };
}

const priceProblems = {
  missing: courseFormMessages.priceMissing,
  unclear: courseFormMessages.priceUnclear,
  negative: courseFormMessages.priceNegative,
  fine: courseFormMessages.priceFine,
} as const;

export function parsePrice(typed: string): { cents: number } | { problem: string } {
  const parsed = parseMoney(typed);
  if ("problem" in parsed) return { problem: priceProblems[parsed.problem] };
  const { cents } = parsed;
  if (cents > 0 && cents < lowestPriceCents) return { problem: courseFormMessages.priceLow };
  return cents > highestPriceCents ? { problem: courseFormMessages.priceHigh } : { cents };
}

/** Cents as the price field shows them: '197.00' (spec 9, two decimals). */
export function priceField(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}

export const restoreDays = 30;

const dayMs = 24 * 3600 * 1000;

/** Items deleted at this time or earlier can no longer be restored. */
export function restorableSince(now: Date): Date {
  return new Date(now.getTime() - restoreDays * dayMs);
}

/** Until when an item deleted at this time can be restored. */
export function restorableUntil(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + restoreDays * dayMs);
}

/** The highest count of student data shown before a deletion. */
export const mostCounted = 10_000;

/** '1 lesson', '2 lessons', 'more than 10,000 lessons'. */
export function countedNoun(number: number, one: string, many = `${one}s`): string {
  if (number > mostCounted) return `more than ${mostCounted.toLocaleString("en-US")} ${many}`;
  return `${number.toLocaleString("en-US")} ${number === 1 ? one : many}`;
}

/** Ids of a course's modules and lessons, in the order in which they are studied. */
export type OutlineOrder = { id: string; lessons: string[] }[];

/** A change of the order. An empty `beforeId` means the end. */
export type OutlineChange =
  | { intent: "move-lesson"; lessonId: string; moduleId: string; beforeId: string }
  | { intent: "step-lesson"; lessonId: string; direction: "up" | "down" }
  | { intent: "move-module"; moduleId: string; beforeId: string }
  | { intent: "step-module"; moduleId: string; direction: "up" | "down" };

/** The indexes of a lesson's module and of the lesson in it; null if it is not there. */
export function outlinePlace(modules: OutlineOrder, lessonId: string) {
  for (const [module, { lessons }] of modules.entries()) {
    const lesson = lessons.indexOf(lessonId);
    if (lesson >= 0) return { module, lesson };
  }
  return null;
}

/** The order after a change; null if it names something missing. A missing neighbor counts as the
 * end, so that concurrent changes lose nothing. */
export function applyOutlineChange(
  modules: OutlineOrder,
  change: OutlineChange,
): OutlineOrder | null {
  switch (change.intent) {
    case "move-lesson":
      return moveLesson(modules, change);
    case "step-lesson":
      return stepLesson(modules, change.lessonId, change.direction);
    case "move-module":
      return moveModule(modules, change.moduleId, change.beforeId);
    case "step-module":
      return stepModule(modules, change.moduleId, change.direction);
  }
}

type LessonMove = { lessonId: string; moduleId: string; beforeId: string };

function moveLesson(modules: OutlineOrder, { lessonId, moduleId, beforeId }: LessonMove) {
  if (!outlinePlace(modules, lessonId) || !modules.some(({ id }) => id === moduleId)) return null;
  return modules.map(({ id, lessons }) => {
    const others = lessons.filter((lesson) => lesson !== lessonId);
    return { id, lessons: id === moduleId ? inserted(others, lessonId, beforeId) : others };
  });
}

function stepLesson(modules: OutlineOrder, lessonId: string, direction: "up" | "down") {
  const place = outlinePlace(modules, lessonId);
  if (!place) return null;
  const { id, lessons } = modules[place.module] as OutlineOrder[number];
  const up = direction === "up";
  const isAtEdge = place.lesson === (up ? 0 : lessons.length - 1);
  if (!isAtEdge) {
    const beforeId = lessons[place.lesson + (up ? -1 : 2)] ?? "";
    return moveLesson(modules, { lessonId, moduleId: id, beforeId });
  }
  const next = modules[place.module + (up ? -1 : 1)];
  if (!next) return modules;
  const beforeId = up ? "" : (next.lessons[0] ?? "");
  return moveLesson(modules, { lessonId, moduleId: next.id, beforeId });
}

function moveModule(modules: OutlineOrder, moduleId: string, beforeId: string) {
  const module = modules.find(({ id }) => id === moduleId);
  if (!module || beforeId === moduleId) return module ? modules : null;
  const others = modules.filter(({ id }) => id !== moduleId);
  const index = others.findIndex(({ id }) => id === beforeId);
  return others.toSpliced(index < 0 ? others.length : index, 0, module);
}

function stepModule(modules: OutlineOrder, moduleId: string, direction: "up" | "down") {
  const index = modules.findIndex(({ id }) => id === moduleId);
  if (index < 0) return null;
  const beforeId = modules[index + (direction === "up" ? -1 : 2)]?.id ?? "";
  return index === 0 && direction === "up" ? modules : moveModule(modules, moduleId, beforeId);
}

function inserted(ids: string[], id: string, beforeId: string): string[] {
  const index = ids.indexOf(beforeId);
  return ids.toSpliced(index < 0 ? ids.length : index, 0, id);
}
