import type { z } from "zod";
import type { Services, WorkKind } from "../http/services.ts";

const priorities = ["urgent", "usual", "bulk"] as const;
type Priority = (typeof priorities)[number];

/** 0 goes first. */
export const priorityOf = ({ priority = "usual" }: { priority?: Priority | undefined }): number =>
  priorities.indexOf(priority);

/** `signal`: the site stops and does not wait any longer; emails heed it by themselves. */
type WorkRow = { id: string; signal: AbortSignal };

type JobOptions = {
  /** 14 when absent; from the tenth on every 12 hours. */
  maxAttempts?: number;
  /** Waits for another machine and sends no email: nothing waits behind it. */
  slow?: boolean;
  /** One row of the kind at a time, on all machines together. */
  single?: boolean;
  /** `urgent`: a user waits for it; `bulk`: it goes to many in one hour. */
  priority?: Priority;
  /** False: once it is done, nothing tells whom it was for (docs/decisions/012). */
  recorded?: boolean;
  /** For the security of an account: sent also to an address on the list of those that get none. */
  ignoresSuppression?: boolean;
};

type JobDefinition<Payload> = JobOptions & {
  kind: string;
  /** For the coach's email log. */
  label?: string;
  /** False: no email is sent, so the row is listed only when it fails. */
  sendsEmail?: boolean;
  /** What the coach can do when the link of its email has expired. */
  instead?: string;
  payload: z.ZodType<Payload>;
  /** `row.id` serves as idempotency key wherever the other side knows such keys. */
  run(services: Services, payload: Payload, row: WorkRow): Promise<void>;
};

export type AnyJob = JobOptions &
  WorkKind & {
    /** @throws {PermanentFailure} when the payload is not of this kind */
    perform(services: Services, payload: unknown, row: WorkRow): Promise<void>;
  };

export type Job<Payload> = AnyJob & { payload: z.ZodType<Payload> };

/** A retry is pointless: the row fails with this error. */
export class PermanentFailure extends Error {}

/** The link of its email has expired: no email is better than one whose link does not work. */
export class Expired extends PermanentFailure {
  constructor() {
    super("the link had expired before the email could be sent");
  }
}

/** Declares a kind of work; its payload is validated before it runs. */
export function defineJob<Payload>({ run, ...definition }: JobDefinition<Payload>): Job<Payload> {
  return {
    ...{ label: definition.kind, sendsEmail: true, instead: null },
    ...definition,
    perform(services, value, row) {
      const parsed = definition.payload.safeParse(value);
      if (!parsed.success) throw new PermanentFailure(`payload: ${parsed.error.message}`);
      return run(services, parsed.data, row);
    },
  };
}
