import type Stripe from "stripe";
import type { Auth } from "./auth/auth.ts";
import type { Clock } from "./clock.ts";
import type { Config } from "./config/config.ts";
import type { Database } from "./db/database.ts";
import type { WorkKind } from "./jobs/kind.ts";
import type { Log } from "./log/log.ts";
import type { Mail } from "./mail/mail.ts";
import type { Keyring } from "./sealing/keyring.ts";
import type { Storage } from "./storage/storage.ts";
import type { UploadBytes } from "./uploads/bytes.ts";

/** Who does an administrator's deeds; `id` is null for the command line. */
export type Actor = { id: string | null; name: string };

/**
 * Everything that queries and commands may need from outside. Made once at the
 * start, first argument of each of them; no module holds a connection of its own.
 */
export type Services = {
  config: Config;
  db: Database;
  auth: Auth;
  journalKeys: Keyring;
  storage: Storage;
  uploads: UploadBytes;
  mail: Mail;
  /** Null where no keys are configured: nothing is sold then. */
  stripe: Stripe | null;
  clock: Clock;
  log: Log;
  /** Every kind of background work, by its name in the outbox. */
  workKinds: ReadonlyMap<string, WorkKind>;
  /** Tells the worker of this process that work was written down. */
  wakeWorker: () => void;
  /**
   * The administrator whose request this is: what her commands change goes on the audit list.
   * Absent for everybody else, and for what the site does by itself.
   */
  actor?: Actor;
};
