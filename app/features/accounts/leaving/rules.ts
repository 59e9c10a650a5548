/** How long somebody has to change her mind, in milliseconds. */
const weekMs = 7 * 24 * 3600_000;

export const dueAfter = (now: Date): Date => new Date(now.getTime() + weekMs);
