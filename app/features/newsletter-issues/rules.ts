/** How many emails may have gone by the end of a day, the first of which is 0, where a domain is new to
 * sending: 200 on the first, twice as many on each one after it. */
export const warmUpAllowance = (day: number): number => 200 * (2 ** (day + 1) - 1);

/** When so many of those that were tried were refused, an issue stops. Large providers begin to refuse
 * a sender at a tenth of it for complaints. */
const limits = { bounces: { share: 0.05, least: 5 }, complaints: { share: 0.001, least: 2 } };

type Standing = { tried: number; refused: number; complaints: number };

/** Why an issue must stop by itself; null while it may go on. */
export function rateProblem({
  tried,
  refused,
  complaints,
}: Standing): "bounces" | "complaints" | null {
  const isOver = (number: number, { share, least }: { share: number; least: number }) =>
    number >= least && number > tried * share;
  if (isOver(complaints, limits.complaints)) return "complaints";
  return isOver(refused, limits.bounces) ? "bounces" : null;
}

/** Every email that was handed over, whatever came of it. */
export const triedOf = (issue: { sent: number; refused: number; doubtful: number }): number =>
  issue.sent + issue.refused + issue.doubtful;

/** How many per cent, as a whole number of emails: at least one. */
export const portionOf = (recipients: number, portion: number): number =>
  Math.max(1, Math.ceil((recipients * portion) / 100));

/** Addresses under /newsletter that are no issue's. */
export const reservedSlugs = [
  ...["archive", "confirm", "confirmed", "feed", "fewer", "pause", "unsubscribe", "unsubscribed"],
] as const;
