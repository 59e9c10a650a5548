import { sql } from "kysely";
import { expect, test } from "vitest";
import { isCarried } from "~/platform/db-copy/table.ts";
import { openTestServices } from "../../support/services.ts";

/**
 * Every table that someone's words or doings may be in: backups and db:move carry it. A new one
 * belongs here, if all of it can be written into another database as it stands; see decision 015.
 */
const carried = [
  ...[
    "accounts",
    "announced_lessons",
    "audit_entries",
    "backup_codes",
    "care_requests",
    "content_version",
  ],
  "course_emails",
  ...["declined_emails", "drafts", "email_changes", "enrollments"],
  ...["factors", "former_enrollments", "invitations", "journal_keys", "journal_pictures", "jwks"],
  "lesson_files",
  "lesson_views",
  ...[
    "lessons",
    "lost_pages",
    "mail_reports",
    "media_files",
    "module_completion_emails",
    "modules",
  ],
  ...["newsletter_deliveries", "newsletter_issues", "outbox"],
  "page_drafts",
  "pages",
  ...[
    "passkeys",
    "payment_issues",
    "payment_refunds",
    "payments",
    "picture_uses",
    "pictures",
    "playback_positions",
    "products",
    "profiles",
  ],
  ...[
    "progress",
    "rate_limits",
    "recordings",
    "redirects",
    "release_changes",
    "releases",
    "sent_emails",
    "sessions",
    "settings",
    "share_cards",
  ],
  "stray_files",
  ...[
    "stripe_events",
    "subscriber_import_parts",
    "subscriber_import_rows",
    "subscriber_imports",
    "subscribers",
    "suppressions",
    "uploads",
    "verifications",
    "versions",
    "visits",
  ],
];

/** What the database makes of others by itself, or keeps for itself. */
const left = {
  sqlite: ["people_numbers", "people_search", "tallies"],
  postgres: ["people_words", "tallies", "tally_changes"],
};

test("copies of a site carry every table of its database, but what it makes by itself", async () => {
  const { services, close } = await openTestServices();
  const { db } = services;
  const { rows } = await (db.engine === "postgres"
    ? sql<{ name: string }>`select tablename as name from pg_tables
          where schemaname = current_schema()`
    : sql<{ name: string }>`select name from sqlite_schema where type = 'table'
          and name not like 'sqlite_%' and name not like 'people_search_%'`
  ).execute(db.read);
  await close();
  const names = rows.map(({ name }) => name).filter((name) => !name.startsWith("kysely_"));
  expect(names.toSorted()).toEqual([...carried, ...left[db.engine]].toSorted());
  expect(names.filter(isCarried).toSorted()).toEqual(carried);
});
