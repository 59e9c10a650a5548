/** For how many days what was deleted can be brought back. */
export const restoreDays = 30;

const dayMs = 24 * 3600 * 1000;

/** What was deleted before this moment, or at it, is not brought back any more. */
export function restorableSince(now: Date): Date {
  return new Date(now.getTime() - restoreDays * dayMs);
}

/** Until when something can be brought back. */
export function restorableUntil(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + restoreDays * dayMs);
}

/** How far what students have is counted, before somebody deletes it. */
export const mostCounted = 10_000;

/** '1 lesson', '2 lessons', 'more than 10,000 lessons'. */
export function counted(number: number, one: string, many = `${one}s`): string {
  if (number > mostCounted) return `more than ${mostCounted.toLocaleString("en-US")} ${many}`;
  return `${number.toLocaleString("en-US")} ${number === 1 ? one : many}`;
}
