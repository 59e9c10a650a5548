import type { z } from "zod";
import type { Services } from "../services.ts";

type JobDefinition<Payload> = {
  kind: string;
  payload: z.ZodType<Payload>;
  /** Tries before a row is kept as failed; 14 when absent, and every 12 hours from the tenth on. */
  maxAttempts?: number;
  /** Waits for somebody else's machine: it has a lane of its own, so that nothing waits behind it. */
  slow?: boolean;
  /** False: that its letters went out is not kept with the receiver's account (docs/decisions/019). */
  recorded?: boolean;
  /** `id` is the row's: use it wherever the other side can recognise a repetition. */
  run(services: Services, payload: Payload, row: { id: string }): Promise<void>;
};

/** What the worker needs of a kind of work. */
export type AnyJob = {
  kind: string;
  maxAttempts?: number | undefined;
  slow?: boolean | undefined;
  recorded?: boolean | undefined;
  /** Does the work of one row. @throws {PermanentFailure} when its payload is not of this kind */
  perform(services: Services, payload: unknown, row: { id: string }): Promise<void>;
};

/** One kind of background work: its name in the outbox, the shape of its payload, what to do. */
export type Job<Payload> = AnyJob & { payload: z.ZodType<Payload> };

/** Trying again is no use: the row is kept with its error. */
export class PermanentFailure extends Error {}

/** Declares a kind of work; its payload is checked before it runs. */
export function defineJob<Payload>(definition: JobDefinition<Payload>): Job<Payload> {
  const { kind, payload, maxAttempts, slow, recorded, run } = definition;
  return {
    kind,
    payload,
    maxAttempts,
    slow,
    recorded,
    perform(services, value, row) {
      const parsed = payload.safeParse(value);
      if (!parsed.success) throw new PermanentFailure(`payload: ${parsed.error.message}`);
      return run(services, parsed.data, row);
    },
  };
}
