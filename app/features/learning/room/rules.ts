/**
 * What one person's words may take: sealed words in bytes (some 15 million letters of English) and
 * drafts that were neither sent nor deleted.
 */
export const room = { bytes: 20_000_000, drafts: 100 };

/** From here on it is said that the room comes to its end. */
const nearly = 0.8;

/** What of the room is used. */
export type Used = { bytes: number; drafts: number };

/** Null while there is ample room; else how much of it is used, in whole percent, 100 at most. */
export function percentUsed({ bytes, drafts }: Used): number | null {
  const part = Math.max(bytes / room.bytes, drafts / room.drafts);
  return part < nearly ? null : Math.min(100, Math.floor(part * 100));
}

/** Whether what was used after a change is beyond the room, and more than before it. */
export const isTooMuch = (before: Used, after: Used): boolean =>
  after.bytes > Math.max(room.bytes, before.bytes) ||
  after.drafts > Math.max(room.drafts, before.drafts);
