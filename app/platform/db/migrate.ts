import { type Kysely, type MigrationProvider, Migrator } from "kysely";
import type { Engine } from "./columns.ts";
import { accounts } from "./migrations/001-accounts.ts";
import { courses } from "./migrations/002-courses.ts";
import { learning } from "./migrations/003-learning.ts";
import { outbox } from "./migrations/004-outbox.ts";
import { contentVersion } from "./migrations/005-content-version.ts";
import { newsletter } from "./migrations/006-newsletter.ts";
import { authoring } from "./migrations/007-authoring.ts";
import { lists } from "./migrations/008-lists.ts";
import { payments } from "./migrations/009-payments.ts";
import { letters } from "./migrations/010-letters.ts";
import { mailDesk } from "./migrations/011-mail-desk.ts";
import { signIn } from "./migrations/012-sign-in.ts";
import { sealing } from "./migrations/013-sealing.ts";
import { suspensionAndAudit } from "./migrations/014-suspension-and-audit.ts";
import { account } from "./migrations/015-account.ts";
import { providerAccounts } from "./migrations/016-provider-accounts.ts";
import { verificationEnds } from "./migrations/017-verification-ends.ts";
import { factorReminder } from "./migrations/018-factor-reminder.ts";
import type { Tables } from "./tables.ts";

type Step = (db: Kysely<unknown>, engine: Engine) => Promise<void>;

const steps: Record<string, Step> = {
  "001-accounts": accounts,
  "002-courses": courses,
  "003-learning": learning,
  "004-outbox": outbox,
  "005-content-version": contentVersion,
  "006-newsletter": newsletter,
  "007-authoring": authoring,
  "008-lists": lists,
  "009-payments": payments,
  "010-letters": letters,
  "011-mail-desk": mailDesk,
  "012-sign-in": signIn,
  "013-sealing": sealing,
  "014-suspension-and-audit": suspensionAndAudit,
  "015-account": account,
  "016-provider-accounts": providerAccounts,
  "017-verification-ends": verificationEnds,
  "018-factor-reminder": factorReminder,
};

/** What a database of this version has been through. */
export const migrationNames: readonly string[] = Object.keys(steps);

function provider(engine: Engine): MigrationProvider {
  return {
    async getMigrations() {
      return Object.fromEntries(
        Object.entries(steps).map(([name, step]) => [
          name,
          { up: (db: Kysely<unknown>) => step(db, engine) },
        ]),
      );
    },
  };
}

/** A newer version of the site has been here; the message is a line for whoever started this one. */
export class NewerDatabase extends Error {}

/**
 * Brings the database to the newest form. Either all missing steps happen or none.
 * @throws {NewerDatabase}
 * @throws the database's own error when a step fails
 */
export async function migrate(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const migrator = new Migrator({ db, provider: provider(engine) });
  const { error } = await migrator.migrateToLatest();
  const [, unknown] = /previously executed migration (\S+) is missing/.exec(String(error)) ?? [];
  if (unknown)
    throw new NewerDatabase(
      `A newer version of the site has worked on this database (${unknown}). Start that version, or restore a backup from before it into an empty place; nothing was changed.`,
      { cause: error },
    );
  if (error) throw error;
}
