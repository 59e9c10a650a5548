import type { z } from "zod";
import type { Services } from "../services.ts";
import type { WorkKind } from "./kind.ts";

/** The row of the work; `signal` says that the site stops and waits no longer: letters heed it by themselves. */
type WorkRow = { id: string; signal: AbortSignal };

type JobDefinition<Payload> = {
  kind: string;
  /** What the coach reads in her list of mails; each of jobs.ts has one. */
  label?: string;
  /** False: nothing goes to anybody's mailbox, so it is shown only where it fails. */
  isLetter?: boolean;
  /** What the coach can do where the link of its letter has died. */
  instead?: string;
  payload: z.ZodType<Payload>;
  /** Tries before a row is kept as failed; 14 when absent, and every 12 hours from the tenth on. */
  maxAttempts?: number;
  /** Waits for somebody else's machine: it has a lane of its own, so that nothing waits behind it. */
  slow?: boolean;
  /** Somebody sits there and waits for it: it does not stand in line behind a thousand others. */
  urgent?: boolean;
  /** Goes to many in the same hour, and nobody waits for it: all other letters pass it. */
  bulk?: boolean;
  /** False: once it is done, nothing tells whom it was for (docs/decisions/019). */
  recorded?: boolean;
  /** `id` is the row's: use it wherever the other side can recognise a repetition. */
  run(services: Services, payload: Payload, row: WorkRow): Promise<void>;
};

/** What the worker needs of a kind of work. */
export type AnyJob = WorkKind & {
  maxAttempts?: number | undefined;
  slow?: boolean | undefined;
  urgent?: boolean | undefined;
  bulk?: boolean | undefined;
  recorded?: boolean | undefined;
  /** Does the work of one row. @throws {PermanentFailure} when its payload is not of this kind */
  perform(services: Services, payload: unknown, row: WorkRow): Promise<void>;
};

/** One kind of background work: its name in the outbox, the shape of its payload, what to do. */
export type Job<Payload> = AnyJob & { payload: z.ZodType<Payload> };

/** Trying again is no use: the row is kept with its error. */
export class PermanentFailure extends Error {}

/** What its letter leads to is no more: better no letter than one with a dead link. */
export class Expired extends PermanentFailure {
  constructor() {
    super("the link had expired before the letter could be sent");
  }
}

/** Declares a kind of work; its payload is checked before it runs. */
export function defineJob<Payload>(definition: JobDefinition<Payload>): Job<Payload> {
  const { kind, label = kind, isLetter = true, instead = null, payload, run, ...rest } = definition;
  const { maxAttempts, slow, urgent, bulk, recorded } = rest;
  return {
    kind,
    label,
    isLetter,
    instead,
    payload,
    maxAttempts,
    slow,
    urgent,
    bulk,
    recorded,
    perform(services, value, row) {
      const parsed = payload.safeParse(value);
      if (!parsed.success) throw new PermanentFailure(`payload: ${parsed.error.message}`);
      return run(services, parsed.data, row);
    },
  };
}
