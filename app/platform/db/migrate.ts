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
};

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

/**
 * Brings the database to the newest form. Either all missing steps happen or none.
 * @throws the database's own error when a step fails
 */
export async function migrate(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const migrator = new Migrator({ db, provider: provider(engine) });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
