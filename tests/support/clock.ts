import type { Clock } from "~/platform/utils/clock.ts";

const hourMs = 3600_000;

/** A clock that runs with the machine's, from wherever a test puts it. */
export function movableClock(): Clock & {
  forward(ms: number): void;
  forwardDays(days: number): void;
} {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    forward(ms) {
      ahead += ms;
    },
    forwardDays(days) {
      ahead += days * 24 * hourMs;
    },
  };
}
