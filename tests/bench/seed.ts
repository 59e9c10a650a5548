import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import type { Engine } from "~/platform/db/columns.ts";

export const courses = 10;
const lessonsEach = 24;
export const lessonsInAll = courses * lessonsEach;
/** Emails on record for each account. */
export const mailsEach = 5;
/** Enrolled in the course that few study. */
const rareStudents = 20;
const batch = 20_000;
const when = "2026-01-01T00:00:00.000Z";

/** What the two engines call differently. */
type Words = {
  engine: Engine;
  pad(sqlNumber: string): string;
  numbers(from: number, to: number): string;
  /** A second for each, from a day on. */
  moment(sqlNumber: string): string;
  yes: string;
};

const sqlite: Words = {
  engine: "sqlite",
  pad: (number) => `printf('%012d', ${number})`,
  numbers: (from, to) =>
    `(with recursive series(n) as (select ${from} union all select n + 1 from series where n < ${to - 1}) select n from series)`,
  moment: (number) => `strftime('%Y-%m-%dT%H:%M:%S.000Z', 1700000000 + ${number}, 'unixepoch')`,
  yes: "1",
};

const postgres: Words = {
  engine: "postgres",
  pad: (number) => `lpad((${number})::text, 12, '0')`,
  numbers: (from, to) => `(select generate_series(${from}::bigint, ${to - 1}::bigint) as n)`,
  moment: (number) => `to_timestamp(1700000000 + ${number})`,
  yes: "true",
};

const padded = (n: number) => String(n).padStart(12, "0");
/** The ids of what is seeded: they sort by the time of their making, as UUIDv7 does. */
export const userId = (n: number) => `0193aaaa-0000-7000-8000-${padded(n)}`;
export const courseId = (n: number) => `0193cccc-0000-7000-8000-${padded(n)}`;
export const rareCourseId = courseId(courses);

/**
 * The statements that fill a migrated, empty database with `accounts` accounts, each enrolled in
 * ten courses and some in an eleventh, with emails and invitations, by SQL alone: as many rows as the growth figure needs.
 */
function* statements(words: Words, accounts: number): Generator<string> {
  const { numbers, moment, yes } = words;
  const id = (kind: string, number: string) =>
    `'0193${kind}-0000-7000-8000-' || ${words.pad(number)}`;
  yield `insert into products (id, slug, title, price_cents, active, created_at, updated_at)
    select ${id("cccc", "n")}, 'course-' || n, 'Course ' || n, 19700, ${yes}, '${when}', '${when}'
    from ${numbers(0, courses + 1)} as numbers`;
  yield `insert into modules (id, product_id, title, order_num, created_at, updated_at)
    select ${id("dddd", "n")}, ${id("cccc", "n")}, 'Module', 1, '${when}', '${when}'
    from ${numbers(0, courses)} as numbers`;
  yield `insert into lessons
    (id, module_id, title, slug, order_num, drip_day, content, content_html, created_at, updated_at)
    select ${id("eeee", "n")}, ${id("dddd", `n / ${lessonsEach}`)}, 'Lesson', 'lesson-' || n, n + 1, 0,
      'Words.', '<p>Words.</p>', '${when}', '${when}' from ${numbers(0, lessonsInAll)} as numbers`;
  for (let from = 0; from < accounts; from += batch) {
    const to = Math.min(accounts, from + batch);
    const user = id("aaaa", `n / ${courses}`);
    yield `insert into profiles (id, name, email, email_verified, role, created_at, updated_at)
      select ${id("aaaa", "n")}, 'Ada' || (n * 7919 % ${accounts}) || ' Lovelace',
        'ada.' || (n * 104729 % ${accounts}) || '@mail' || (n % 7) || '.example.com', ${yes}, 'student',
        ${moment("n")}, '${when}' from ${numbers(from, to)} as numbers`;
    const each = `${numbers(from * courses, to * courses)} as numbers`;
    yield `insert into enrollments (id, user_id, product_id, created_at)
      select ${id("bbbb", "n")}, ${user}, ${id("cccc", `n % ${courses}`)}, ${moment("n")} from ${each}`;
    yield `insert into progress (user_id, lesson_id, created_at)
      select ${user}, ${id("eeee", `(n % ${courses}) * ${lessonsEach}`)}, '${when}' from ${each}`;
    yield `insert into sent_emails (id, user_id, kind, subject, created_at)
      select ${id("ffff", "n")}, ${id("aaaa", `n / ${mailsEach}`)}, 'accounts.verify-email', 'A letter', ${moment("n")}
      from ${numbers(from * mailsEach, to * mailsEach)} as numbers`;
    // Of three, one is still waited for.
    yield `insert into invitations
      (id, email, product_id, token_hash, invited_by, created_at, expires_at, accepted_at)
      select ${id("9999", "n")}, 'guest.' || n || '@example.com', ${id("cccc", `n % ${courses}`)}, 'hash-' || n,
        ${id("aaaa", "n")}, ${moment("n")}, '2099-01-01T00:00:00.000Z',
        case when n % 3 > 0 then ${moment("n + 60")} end
      from ${numbers(from, to)} as numbers`;
  }
  const apart = Math.floor(accounts / rareStudents);
  yield `insert into enrollments (id, user_id, product_id, created_at)
    select ${id("bbbb", `${accounts * courses} + n`)}, ${id("aaaa", `n * ${apart}`)}, '${rareCourseId}',
      ${moment(`n * ${apart}`)} from ${numbers(0, rareStudents)} as numbers`;
}

/** Fills a SQLite file. */
export function seedPeople(file: string, accounts: number): void {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  database.exec("pragma synchronous = off");
  for (const statement of statements(sqlite, accounts)) database.exec(statement);
  database.exec("pragma wal_checkpoint(truncate)");
  database.close();
}

/** Fills a database of PostgreSQL, and lets it see what it has, as it does by itself after a while. */
export async function seedPostgres(url: string, accounts: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements(postgres, accounts)) await client.query(statement);
  await client.query("vacuum analyze");
  await client.end();
}
