import type { Clock } from "../clock.ts";

const firstPauseMs = 5_000;
const longestPauseMs = 60_000;

/**
 * Whether letters can go out at all. When the mail server is away, one letter says so for all: those
 * kinds of work that met it wait, and one row at a time tries again, after longer and longer
 * pauses of a minute at most. What has nothing to do with letters goes on.
 */
export class MailDoor {
  /** Since when it is shut; null while it is open. */
  since: Date | null = null;
  /** The row that last found the server away. */
  lastOut: string | null = null;
  #kinds = new Set<string>();
  #pauses = 0;
  #nextAt = 0;
  #isTrying = false;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isShutFor(kind: string): boolean {
    return this.since !== null && this.#kinds.has(kind);
  }

  /** Whether one row may try now. Whoever asks and hears yes says with {@link tried} how it ended. */
  mayTry(): boolean {
    if (this.since === null || this.#isTrying) return false;
    const wait = this.#nextAt - this.#clock.now().getTime();
    // Longer than any pause: the clock was set back.
    if (wait > 0 && wait <= longestPauseMs) return false;
    this.#isTrying = true;
    return true;
  }

  tried(): void {
    this.#isTrying = false;
  }

  /** A row of this kind found the server away. */
  shut({ id, kind }: { id: string; kind: string }): void {
    const now = this.#clock.now();
    this.lastOut = id;
    this.#kinds.add(kind);
    // Letters that were under way together say the same thing once.
    if (this.since !== null && now.getTime() < this.#nextAt) return;
    this.since ??= now;
    this.#nextAt = now.getTime() + Math.min(firstPauseMs * 2 ** this.#pauses, longestPauseMs);
    this.#pauses += 1;
  }

  /** A letter went out. */
  open(): void {
    this.since = null;
    this.#kinds.clear();
    this.#pauses = 0;
    this.#nextAt = 0;
  }
}
