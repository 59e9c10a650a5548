import { type Kysely, type MigrationProvider, Migrator } from "kysely";
import type { Engine } from "./columns.ts";
import { initial } from "./migration-001-initial.ts";
import { comingSoon } from "./migration-002-coming-soon.ts";
import { courseEmails } from "./migration-003-course-emails.ts";
import { lessonDays } from "./migration-004-lesson-days.ts";
import { filesOfLessons } from "./migration-005-lesson-files.ts";
import { pictures } from "./migration-006-pictures.ts";
import { figures } from "./migration-007-figures.ts";
import { lessonViews } from "./migration-007-lesson-views.ts";
import { quiet } from "./migration-007-quiet.ts";
import { visits } from "./migration-007-visits.ts";
import { films } from "./migration-009-films.ts";
import { journalPictures } from "./migration-010-journal-pictures.ts";
import { redirects } from "./migration-011-redirects.ts";
import { shareCards } from "./migration-012-share-cards.ts";
import { pageContent } from "./migration-013-page-content.ts";
import { releases } from "./migration-014-releases.ts";
import { pagePictures } from "./migration-015-page-pictures.ts";
import { newsletterIssues } from "./migration-016-newsletter.ts";
import type { Tables } from "./tables.ts";

/** Uses no types of the current tables: they may have changed since. */
export type Step = (db: Kysely<unknown>, engine: Engine) => Promise<void>;

/** In the order of their names. Each runs once; a released one is never edited. */
export const steps: Readonly<Record<string, Step>> = {
  "001-initial": initial,
  "002-coming-soon": comingSoon,
  "003-course-emails": courseEmails,
  "004-lesson-days": lessonDays,
  "005-lesson-files": filesOfLessons,
  "006-pictures": pictures,
  "007-figures": figures,
  "007-lesson-views": lessonViews,
  "007-quiet": quiet,
  "007-visits": visits,
  "009-films": films,
  "010-journal-pictures": journalPictures,
  "011-redirects": redirects,
  "012-share-cards": shareCards,
  "013-page-content": pageContent,
  "014-releases": releases,
  "015-page-pictures": pagePictures,
  "016-newsletter": newsletterIssues,
};

export const migrationNames: readonly string[] = Object.keys(steps);

function provider(engine: Engine, all: Readonly<Record<string, Step>>): MigrationProvider {
  return {
    async getMigrations() {
      return Object.fromEntries(
        Object.entries(all).map(([name, step]) => [
          name,
          { up: (db: Kysely<unknown>) => step(db, engine) },
        ]),
      );
    },
  };
}

export class NewerDatabase extends Error {}

/** All missing steps, or none. @throws {NewerDatabase} or the error of a step */
export async function migrate(db: Kysely<Tables>, engine: Engine, all = steps): Promise<void> {
  const migrator = new Migrator({ db, provider: provider(engine, all) });
  const { error } = await migrator.migrateToLatest();
  const [, unknown] = /previously executed migration (\S+) is missing/.exec(String(error)) ?? [];
  if (unknown)
    throw new NewerDatabase(
      `A newer version of the site has worked on this database (${unknown}). Start that version, or restore a backup from before it into an empty place; nothing was changed.`,
      { cause: error },
    );
  if (error) throw error;
}
