import { type Kysely, sql } from "kysely";
import type { Engine } from "./columns.ts";

/** Issues of the newsletter and to whom they went; which addresses get no email, and why. */
export async function newsletterIssues(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const time = engine === "postgres" ? "timestamptz" : "text";
  const json = engine === "postgres" ? "jsonb" : "text";
  const boolean = (value: boolean) =>
    engine === "postgres"
      ? `boolean not null default ${value}`
      : `integer not null default ${Number(value)}`;
  // PostgreSQL finds a beginning by an index only in this collation (search.ts).
  const bytes = engine === "postgres" ? ' collate "C"' : "";
  const statements = [
    "alter table subscribers add column time_zone text",
    "alter table subscribers add column source text",
    "alter table subscribers add column consent text",
    `alter table subscribers add column monthly ${boolean(false)}`,
    `alter table subscribers add column quiet_until_at ${time}`,
    "alter table subscribers add column leave_reason text",
    "alter table subscribers add column left_issue_id text",
    `alter table pictures add column for_email ${boolean(false)}`,
    "create index subscribers_status on subscribers (status, created_at, id)",
    "create index subscribers_created on subscribers (created_at, id)",
    "create index subscribers_portions on subscribers (status, id)",
    `create index subscribers_address on subscribers ((email_key${bytes}))`,
    `create index subscribers_name on subscribers ((lower(first_name)${bytes}))`,
    `create table newsletter_issues (
      id text primary key,
      slug text,
      subject text not null,
      preview text not null,
      body text not null,
      html text not null,
      draft_id text not null default '',
      revision integer not null default 0,
      segment ${json} not null,
      state text not null,
      welcome_day integer,
      in_archive ${boolean(true)},
      morning text,
      warm_up ${boolean(false)},
      portion integer,
      any_rate ${boolean(false)},
      due_at ${time},
      started_at ${time},
      enqueued_at ${time},
      finished_at ${time},
      position text,
      run integer not null default 0,
      stopped_because text,
      recipients integer not null default 0,
      sent integer not null default 0,
      refused integer not null default 0,
      doubtful integer not null default 0,
      left_after integer not null default 0,
      created_at ${time} not null,
      updated_at ${time} not null)`,
    "create unique index newsletter_issues_slug on newsletter_issues (slug)",
    "create index newsletter_issues_created on newsletter_issues (created_at, id)",
    "create index newsletter_issues_started on newsletter_issues (started_at, id)",
    `create table newsletter_deliveries (
      issue_id text not null references newsletter_issues on delete cascade,
      subscriber_id text not null references subscribers on delete cascade,
      state text not null,
      due_at ${time} not null,
      attempts integer not null default 0,
      noted_at ${time},
      error text,
      primary key (issue_id, subscriber_id))`,
    `create index newsletter_deliveries_due on newsletter_deliveries
      (issue_id, state, due_at, subscriber_id)`,
    `create index newsletter_deliveries_subscriber on newsletter_deliveries
      (subscriber_id, noted_at)`,
    `create table subscriber_imports (
      id text primary key,
      file_name text not null,
      where_from text not null,
      delimiter text not null,
      headings ${json} not null,
      chosen ${json},
      recognized text,
      is_old_encoding ${boolean(false)},
      state text not null,
      problem text,
      rows_read integer not null default 0,
      position integer not null default 0,
      counts ${json} not null,
      asks_until_at ${time},
      created_at ${time} not null,
      finished_at ${time})`,
    "create index subscriber_imports_created on subscriber_imports (created_at, id)",
    `create table subscriber_import_parts (
      import_id text not null references subscriber_imports on delete cascade,
      number integer not null,
      content text not null,
      primary key (import_id, number))`,
    `create table subscriber_import_rows (
      import_id text not null references subscriber_imports on delete cascade,
      number integer not null,
      email text not null,
      email_key text not null,
      first_name text not null,
      time_zone text,
      consent text,
      consent_at ${time},
      outcome text not null,
      problem text,
      primary key (import_id, number))`,
    "create index subscriber_import_rows_address on subscriber_import_rows (import_id, email_key)",
    `create index subscriber_import_rows_problem on subscriber_import_rows (import_id, number)
      where problem is not null`,
    `create table suppressions (
      address text primary key,
      reason text not null,
      source text not null,
      detail text,
      created_at ${time} not null)`,
    "create index suppressions_created on suppressions (created_at, address)",
    `create table mail_reports (
      id text primary key,
      kind text not null,
      source text not null,
      address text not null,
      issue_id text,
      created_at ${time} not null)`,
    "create index mail_reports_created on mail_reports (created_at, id)",
    `create table recordings (
      id text primary key,
      hash text not null,
      type text not null,
      bytes integer not null,
      seconds integer,
      created_at ${time} not null,
      unused_since_at ${time},
      in_version ${boolean(false)})`,
    "create index recordings_unused on recordings (unused_since_at) where unused_since_at is not null",
    ...(engine === "postgres" ? postgresTrigger : sqliteTriggers),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

// As those of migration 013: the archive is drawn again when an issue that is out has changed. The
// counters of a sending issue change with each round of emails, and no page shows them.
const shown = "slug, subject, preview, html, state, in_archive";
const sqliteTriggers = ["insert", `update of ${shown}`, "delete"].map(
  (change) => `create trigger content_version_issues_${change.split(" ")[0]} after ${change}
    on newsletter_issues begin update content_version set version = version + 1; end`,
);
const postgresTrigger = [
  `create constraint trigger content_version_issues
    after insert or update of ${shown} or delete on newsletter_issues
    deferrable initially deferred for each row execute function bump_content_version()`,
];
