import type { z } from "zod";
import type { Services, WorkKind } from "../http/services.ts";

/** `signal`: the site stops and does not wait any longer; emails heed it by themselves. */
type WorkRow = { id: string; signal: AbortSignal };

type JobDefinition<Payload> = {
  kind: string;
  /** For the coach's email log. */
  label?: string;
  /** False: no email is sent, so the row is listed only when it fails. */
  sendsEmail?: boolean;
  /** What the coach can do when the link of its email has expired. */
  instead?: string;
  payload: z.ZodType<Payload>;
  /** 14 when absent; from the tenth on every 12 hours. */
  maxAttempts?: number;
  /** Waits for another machine: it has a queue of its own, so that nothing waits behind it. */
  slow?: boolean;
  /** Somebody waits for it: it does not queue behind a thousand others. */
  urgent?: boolean;
  /** Goes to many in one hour, and no one waits for it: all other emails pass it. */
  bulk?: boolean;
  /** False: once it is done, nothing tells whom it was for (docs/decisions/012). */
  recorded?: boolean;
  /** `row.id` serves as idempotency key wherever the other side knows such keys. */
  run(services: Services, payload: Payload, row: WorkRow): Promise<void>;
};

export type AnyJob = WorkKind & {
  maxAttempts?: number | undefined;
  slow?: boolean | undefined;
  urgent?: boolean | undefined;
  bulk?: boolean | undefined;
  recorded?: boolean | undefined;
  /** @throws {PermanentFailure} when the payload is not of this kind */
  perform(services: Services, payload: unknown, row: WorkRow): Promise<void>;
};

export type Job<Payload> = AnyJob & { payload: z.ZodType<Payload> };

/** A retry is pointless: the row is kept with its error. */
export class PermanentFailure extends Error {}

/** The link of its email has expired: no email is better than one with a dead link. */
export class Expired extends PermanentFailure {
  constructor() {
    super("the link had expired before the email could be sent");
  }
}

/** Declares a kind of work; its payload is validated before it runs. */
export function defineJob<Payload>(definition: JobDefinition<Payload>): Job<Payload> {
  const {
    kind,
    label = kind,
    sendsEmail = true,
    instead = null,
    payload,
    run,
    ...rest
  } = definition;
  const { maxAttempts, slow, urgent, bulk, recorded } = rest;
  return {
    kind,
    label,
    sendsEmail,
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
