import { ApiError } from "./errors.ts";

type Kept = { asked: string; answer: unknown; isDone: boolean; fault?: ApiError };

/** Answers kept under the keys of their calls (docs.stripe.com/api/idempotent_requests). */
export class Idempotency {
  private readonly kept = new Map<string, Kept>();

  /**
   * Does the work once for each key. What was refused may be tried again with the same key.
   * @throws {ApiError} for other parameters, or while the first call is at work
   */
  once<T>(key: string | undefined, asked: string, work: () => T): { answer: T; replayed: boolean } {
    const before = key === undefined ? undefined : this.kept.get(key);
    if (before && before.asked !== asked)
      throw new ApiError(
        400,
        `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        { type: "idempotency_error" },
      );
    if (before && !before.isDone) throw inUse();
    if (before?.fault) throw before.fault;
    if (before) return { answer: before.answer as T, replayed: true };
    const answer = structuredClone(work());
    if (key !== undefined) this.kept.set(key, { asked, answer, isDone: true });
    return { answer, replayed: false };
  }

  /** A call with this key has come, and its work is not done. */
  begin(key: string, asked: string) {
    if (!this.kept.has(key)) this.kept.set(key, { asked, answer: null, isDone: false });
    else throw inUse();
  }

  /** The work began and broke: this is what is said to the key from now on. */
  break(key: string, asked: string, fault: ApiError) {
    this.kept.set(key, { asked, answer: null, isDone: true, fault });
  }

  /** It has been given up, or its work is about to be done. */
  abandon(key: string) {
    this.kept.delete(key);
  }
}

const inUse = () =>
  new ApiError(409, "There is currently another in-progress request using this Idempotent Key.", {
    code: "idempotency_key_in_use",
  });
