import {
  nextPace,
  nextTimeLeft,
  type Pace,
  type TimeLeft,
  timeLeftInWords,
} from "../../panel/rules.ts";

/** Says how long a file will take, from how it has gone so far. */
export class Speedometer {
  #pace: Pace | null = null;
  #left: TimeLeft | null = null;

  /** @returns the time left in words; null while too little is known */
  read(sent: number, size: number): string | null {
    const now = performance.now();
    this.#pace = nextPace(this.#pace, now, sent);
    this.#left = nextTimeLeft(this.#left, this.#pace, size - sent);
    return this.#left && timeLeftInWords(this.#left, now);
  }

  /** What was before says nothing of what comes: the line was lost, or she paused. */
  reset() {
    this.#pace = null;
    this.#left = null;
  }
}
