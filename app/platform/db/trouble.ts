import { isUnreachable } from "./errors.ts";

/** What keeps a whole database from being written. */
export type Trouble = "full" | "read-only" | "damaged" | "failing";

const bySqlite: Readonly<Record<number, Trouble>> = {
  8: "read-only",
  10: "failing",
  11: "damaged",
  13: "full",
  14: "failing",
  26: "damaged",
};
const byPostgres: Readonly<Record<string, Trouble>> = {
  "25006": "read-only",
  "53100": "full",
  "58030": "failing",
  XX001: "damaged",
  XX002: "damaged",
};

/** Null for an error that is about one statement or one connection. */
export function troubleOf(error: unknown): Trouble | null {
  const { code, errcode } = error as { code?: string; errcode?: number };
  return (errcode === undefined ? byPostgres[code ?? ""] : bySqlite[errcode & 255]) ?? null;
}

/** Whether the database cannot even be read. */
export const isConnectionLost = (error: unknown): boolean =>
  isUnreachable(error) && troubleOf(error) === null;

const rememberedMs = 30_000;

export class TroubleNote {
  #last: { trouble: Trouble; at: number } | null = null;
  #lost = 0;

  /** How often there was no connection, or it broke. */
  get lost(): number {
    return this.#lost;
  }

  readonly note = (error: unknown): void => {
    const trouble = troubleOf(error);
    if (isConnectionLost(error)) this.#lost += 1;
    if (trouble && this.#last?.trouble !== "damaged")
      this.#last = { trouble, at: performance.now() };
  };

  /** A small write may succeed where the last one failed, so it counts for half a minute. Damage
   * in one table shows nowhere else and does not heal: it counts until the site starts again. */
  current(): Trouble | null {
    if (!this.#last) return null;
    const { trouble, at } = this.#last;
    return trouble === "damaged" || performance.now() - at < rememberedMs ? trouble : null;
  }
}
