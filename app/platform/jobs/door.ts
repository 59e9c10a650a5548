import type { Clock } from "../clock.ts";

const firstPauseMs = 5_000;
const longestPauseMs = 60_000;
/** Rows remembered at most; those of the longest ago are forgotten first. */
const most = 500;

/**
 * Whether letters can go out at all. When the mail server is away, one letter says so for all: those
 * kinds of work that met it wait, and one row at a time tries again, after longer and longer
 * pauses of a minute at most. What has nothing to do with letters goes on.
 */
export class MailDoor {
  /** Since when it is shut; null while it is open. */
  since: Date | null = null;
  #kinds = new Set<string>();
  #pauses = 0;
  #nextAt = 0;
  #isTrying = false;
  /** Rows that found the server away since the door shut. */
  readonly #out = new Set<string>();
  /** Those of them that are to let the others try first. */
  readonly #hadTurn = new Set<string>();
  /** Kinds of which all that waits has had its turn. */
  readonly #exhausted = new Set<string>();
  /** Rows that found the server away when it was there for others. */
  readonly #doubtful = new Set<string>();
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

  /** What is to try next is none of these: what kept them out may be their own matter. */
  hadTurn(): string[] {
    return [...this.#hadTurn];
  }

  /** Of these kinds nothing waits that has not had its turn. When that is so of all, it begins anew. */
  noneLeft(kinds: readonly string[]): void {
    this.#isTrying = false;
    for (const kind of kinds) this.#exhausted.add(kind);
    if (![...this.#kinds].every((kind) => this.#exhausted.has(kind))) return;
    this.#hadTurn.clear();
    this.#exhausted.clear();
  }

  /** A row of this kind found the server away. */
  shut({ id, kind }: { id: string; kind: string }): void {
    const now = this.#clock.now();
    remember(this.#out, id);
    remember(this.#hadTurn, id);
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
    for (const id of this.#out) remember(this.#doubtful, id);
    for (const some of [this.#out, this.#hadTurn, this.#exhausted]) some.clear();
  }

  /**
   * Whether it is a row's own matter that it finds the server away just now: it did before, then
   * others went out, and none has found it away since.
   */
  isOwnMatter(id: string): boolean {
    return this.since === null && this.#doubtful.has(id);
  }
}

function remember(some: Set<string>, id: string) {
  some.delete(id);
  some.add(id);
  const [oldest] = some;
  if (some.size > most && oldest !== undefined) some.delete(oldest);
}
