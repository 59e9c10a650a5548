import type { z } from "zod";
import type { Services } from "../services.ts";

/** One kind of background work: its name in the outbox, the shape of its payload, what to do. */
export type Job<Payload = unknown> = {
  kind: string;
  payload: z.ZodType<Payload>;
  /** `id` is the row's: use it wherever the other side can recognise a repetition. */
  run(services: Services, payload: Payload, row: { id: string }): Promise<void>;
};

/** Trying again is no use: the row is kept with its error. */
export class PermanentFailure extends Error {}

/** Declares a kind of work (checked against its payload's schema). */
export function defineJob<Payload>(job: Job<Payload>): Job<Payload> {
  return job;
}
