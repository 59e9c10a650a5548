import type Stripe from "stripe";
import type { PublishedContent } from "~content/fields.ts";
import type { Auth } from "../auth/auth.ts";
import type { Config } from "../config/config.ts";
import type { Keyring } from "../crypto/keyring.ts";
import type { Database } from "../db/database.ts";
import type { Mailer } from "../email/mail.ts";
import type { Log } from "../log/log.ts";
import type { Storage } from "../storage/storage.ts";
import type { UploadBytes } from "../uploads/bytes.ts";
import type { Clock } from "../utils/clock.ts";

export type WorkKind = {
  kind: string;
  label: string;
  sendsEmail: boolean;
  /** What the coach can do when its email came too late to be sent. */
  instead: string | null;
};

export type Actor = { id: string | null; name: string };

export type Services = {
  config: Config;
  db: Database;
  auth: Auth;
  journalKeys: Keyring;
  storage: Storage;
  uploads: UploadBytes;
  mail: Mailer;
  stripe: Stripe | null;
  /** The public words of all pages, and the names and addresses among them. */
  content: PublishedContent;
  clock: Clock;
  log: Log;
  workKinds: ReadonlyMap<string, WorkKind>;
  wakeWorker: () => void;
  /** The admin whose changes go on the audit log; absent for everyone else. */
  actor?: Actor;
};
