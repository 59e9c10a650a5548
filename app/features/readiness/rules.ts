/** `good`: nothing to do; `look`: worth a look, and no reason to wait; `missing`: not fit to open. */
export type CheckState = "good" | "look" | "missing";

export type Finding = { state: CheckState; title: string; text: string; href: string };

/** In the order in which they are shown. */
export const checkGroups = {
  words: "Your words",
  courses: "Courses",
  money: "Money",
  email: "Email",
  safety: "Safety",
} as const;

export type CheckGroup = keyof typeof checkGroups;

/** One line of the checklist. */
export type Check = Finding & { id: string; group: CheckGroup };

/** Names that are reserved for examples and for one's own machine (RFC 2606, RFC 6761). */
const reserved =
  /(^|\.)(example|test|invalid|localhost|local)$|(^|\.)example\.(com|net|org)$|^(\[::1\]|127\.\d+\.\d+\.\d+)$/i;

export const isReservedHost = (host: string): boolean => reserved.test(host);

export function isExampleUrl(address: string): boolean {
  return URL.canParse(address) && isReservedHost(new URL(address).hostname);
}

/** The domain of 'Nora Hale <hello@example.com>' or of 'hello@example.com'. */
export const domainOf = (sender: string): string => /@([^@<>\s]+)>?\s*$/.exec(sender)?.[1] ?? "";

/** The first address in a text that is an example, without what stands around it. */
export function exampleIn(text: string): string | null {
  // The end first: looking for what stands before it at every word takes twenty times as long.
  const end = /[\w-]\.example\b|\bexample\.(?:com|net|org)\b/i.exec(text);
  if (!end) return null;
  const before = /[\w.@-]*$/.exec(text.slice(Math.max(0, end.index - 200), end.index));
  return `${before?.[0] ?? ""}${end[0]}`;
}

/** Whether two texts say the same, whatever their quotes, dashes and spaces. */
export function sameWords(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

const plain = (text: string) =>
  text
    .replaceAll(/[\u2018\u2019']/g, "'")
    .replaceAll(/[\u201c\u201d"]/g, '"')
    .replaceAll(/[\u2013\u2014-]+/g, "-")
    .replaceAll(/\s+/g, " ")
    .trim()
    .toLowerCase();

/** What the page of a course can promise to download or to hear. */
export const promises = {
  worksheets: { words: /worksheet/i, name: "worksheets" },
  workbook: { words: /workbook/i, name: "a workbook" },
  audio: { words: /audio/i, name: "audio" },
} as const;

export type Promised = keyof typeof promises;

/** What a course has to keep its promises with, counted in lessons. */
export type CourseParts = { prompts: number; files: number; audio: number };

/** What is promised and not there: worksheets and the workbook are made of a lesson's questions, or
 * are files of it. */
export function brokenPromises(texts: readonly string[], parts: CourseParts): Promised[] {
  const isThere: Record<Promised, boolean> = {
    worksheets: parts.prompts + parts.files > 0,
    workbook: parts.prompts + parts.files > 0,
    audio: parts.audio > 0,
  };
  return (Object.keys(promises) as Promised[]).filter(
    (one) => !isThere[one] && texts.some((text) => promises[one].words.test(text)),
  );
}

const minuteMs = 60_000;

/** 'an hour ago', '3 days ago'. */
export function agoWords(ms: number): string {
  const minutes = Math.floor(ms / minuteMs);
  if (minutes < 2) return "just now";
  if (minutes < 60) return `${minutes} minutes ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return hours === 1 ? "an hour ago" : `${hours} hours ago`;
  return `${Math.floor(hours / 24)} days ago`;
}

const small = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];

/** 'One quote is', 'Two quotes are'. */
export function counted(count: number, one: string, many: string): string {
  return `${small[count] ?? count} ${count === 1 ? one : many}`;
}

/** 'Home, About and 3 more'. */
export function someOf(names: readonly string[], most = 3): string {
  if (names.length > most)
    return `${names.slice(0, most).join(", ")} and ${names.length - most} more`;
  return new Intl.ListFormat("en", { type: "conjunction" })
    .format(names)
    .replace(", and ", " and ");
}

/** '1.2 GB'. */
export function sizeWords(bytes: number): string {
  const gb = bytes / 1e9;
  if (gb >= 1) return `${gb.toFixed(1)} GB`;
  const mb = bytes / 1e6;
  return `${mb >= 10 ? Math.round(mb) : mb.toFixed(1)} MB`;
}

/** Where one place of a page is changed. */
export const fieldPath = (page: string, field: string): string =>
  `/admin/pages/${page}?field=${field}#${field}`;

export const readinessPath = "/admin/ready";
/** For what can be put right on the server alone: the page says how. */
export const serverPath = `${readinessPath}#server`;

/** How many checks are in each state. */
export function countStates(checks: readonly Pick<Check, "state">[]): Record<CheckState, number> {
  const counts = { good: 0, look: 0, missing: 0 };
  for (const { state } of checks) counts[state] += 1;
  return counts;
}
