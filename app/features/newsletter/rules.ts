const minuteMs = 60_000;
const dayMs = 24 * 3600_000;

/** Between two emails that a signup causes, and how many of them a day (24 hours). */
export const emailPauseMs = 10 * minuteMs;
export const emailsPerDay = 3;

/** By which an address is recognized: capitals and blanks around it do not matter. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

/** When the next email of a signup may go to an address: ten minutes after the last one, three in 24
 * hours. In milliseconds since 1970. */
export function nextEmailAt(times: readonly number[], now: number): number {
  const latest = believable(times, now).toSorted((one, other) => other - one);
  const last = latest[0] ?? Number.NEGATIVE_INFINITY;
  const third = latest[emailsPerDay - 1] ?? Number.NEGATIVE_INFINITY;
  return Math.max(now, last + emailPauseMs, third + dayMs);
}

/** An email waits for at most 24 hours: a later time comes from a wrong clock. */
function believable(times: readonly number[], now: number): number[] {
  return times.filter((time) => time <= now + dayMs);
}

/** 'You are on the list already' is written once in 24 hours at most. */
export function mayRemind(times: readonly number[], now: number): boolean {
  return believable(times, now).every((time) => time <= now - dayMs);
}

/** The email times that {@link nextEmailAt} still needs, with one more. */
export function withEmailTime(times: readonly number[], time: number): number[] {
  return [...believable(times, time), time]
    .toSorted((one, other) => one - other)
    .slice(-emailsPerDay);
}

/** What a confirmation link says: whom it is for, and until when it works (ms since 1970). */
export type ConfirmLink = { id: string; generation: number; expires: number };

/** The text that is signed. */
export function confirmText({ id, generation, expires }: ConfirmLink): string {
  return `${id}.${generation}.${Math.floor(expires / 1000)}`;
}

/** Reads {@link confirmText}, which only this site can have signed. */
export function parseConfirmText(text: string): ConfirmLink {
  const [id = "", generation, expires] = text.split(".");
  return { id, generation: Number(generation), expires: Number(expires) * 1000 };
}

type Standing = { status: "pending" | "confirmed" | "unsubscribed"; generation: number };

/** 'open' confirms when pressed; 'done' has confirmed; 'expired', 'replaced' (by a later signup's
 * email) and 'outdated' (unsubscribed since) worked once; 'broken' never did. */
export type LinkState = "open" | "done" | "expired" | "replaced" | "outdated" | "broken";

export function linkState(
  link: ConfirmLink | null,
  standing: Standing | null,
  now: number,
): LinkState {
  if (!link) return "broken";
  if (standing && standing.generation !== link.generation)
    return standing.status === "unsubscribed" ? "outdated" : "replaced";
  if (standing?.status === "confirmed") return "done";
  if (link.expires <= now) return "expired";
  // Unsubscribing begins a new generation, so a link never meets one of its own unsubscribed.
  return standing?.status === "pending" ? "open" : "outdated";
}
