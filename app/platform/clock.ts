/** The one source of the present time, so that tests can stand at any moment. */
export type Clock = { now(): Date };

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() };
