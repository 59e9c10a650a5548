import type { Clock } from "../utils/clock.ts";

const firstPauseMs = 5_000;
const longestPauseMs = 60_000;
const most = 500;

/** Whether emails can be sent at all. While the mail server is away, the kinds of work that met
 * it wait, and one row at a time tries again, with backoff up to a minute. Other work goes on. */
export class CircuitBreaker {
  /** Since when emails cannot be sent; null when they can. */
  since: Date | null = null;
  #kinds = new Set<string>();
  #pauses = 0;
  #nextAt = 0;
  #isTrying = false;
  readonly #failed = new Set<string>();
  /** Those of them that let others try first. */
  readonly #hadTurn = new Set<string>();
  /** Rows that found the server away while others could send. */
  readonly #doubtful = new Set<string>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  blocks(kind: string): boolean {
    return this.since !== null && this.#kinds.has(kind);
  }

  /** True for one caller per pause, which must then call {@link tried}. */
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

  /** Rows that the next trial skips: they may be what keeps failing. */
  hadTurn(): string[] {
    return [...this.#hadTurn];
  }

  /** Every waiting row had its turn: the turns start again. */
  noneLeft(): void {
    this.#isTrying = false;
    this.#hadTurn.clear();
  }

  trip({ id, kind }: { id: string; kind: string }): void {
    const now = this.#clock.now();
    remember(this.#failed, id);
    remember(this.#hadTurn, id);
    this.#kinds.add(kind);
    // Emails in progress together report the same failure: it counts once.
    if (this.since !== null && now.getTime() < this.#nextAt) return;
    this.since ??= now;
    this.#nextAt = now.getTime() + Math.min(firstPauseMs * 2 ** this.#pauses, longestPauseMs);
    this.#pauses += 1;
  }

  reset(): void {
    this.since = null;
    this.#kinds.clear();
    this.#pauses = 0;
    this.#nextAt = 0;
    for (const id of this.#failed) remember(this.#doubtful, id);
    for (const some of [this.#failed, this.#hadTurn]) some.clear();
  }

  /** Whether finding the server away is this row's own fault: it failed before, others were
   * sent since, and none has failed since then. */
  isOwnFault(id: string): boolean {
    return this.since === null && this.#doubtful.has(id);
  }
}

function remember(some: Set<string>, id: string) {
  some.delete(id);
  some.add(id);
  const [oldest] = some;
  if (some.size > most && oldest !== undefined) some.delete(oldest);
}
