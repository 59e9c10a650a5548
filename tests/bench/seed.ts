import { DatabaseSync } from "node:sqlite";

const courses = 10;
const lessonsEach = 24;
const batch = 20_000;
const when = "2026-01-01T00:00:00.000Z";

/** Ids that sort by the time of their making, as UUIDv7 does. */
const id = (kind: string, sqlNumber: string) =>
  `printf('0193${kind}-0000-7000-8000-%012d', ${sqlNumber})`;

/** The id of the n-th seeded account. */
export function userId(n: number): string {
  return `0193aaaa-0000-7000-8000-${String(n).padStart(12, "0")}`;
}

/**
 * Fills a migrated, empty SQLite database with `accounts` accounts, each enrolled in ten
 * courses, by SQL alone and in batches: as many rows as the growth figure needs, in seconds.
 */
export function seedPeople(file: string, accounts: number): void {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  database.exec("pragma synchronous = off");
  seedCourses(database);
  for (let from = 0; from < accounts; from += batch)
    seedBatch(database, from, Math.min(accounts, from + batch));
  database.exec("pragma wal_checkpoint(truncate)");
  database.close();
}

const numbers = (from: number, to: number) =>
  `with recursive numbers(n) as (select ${from} union all select n + 1 from numbers where n < ${to - 1})`;

function seedCourses(database: DatabaseSync) {
  const lessons = courses * lessonsEach;
  database.exec(`
    ${numbers(0, courses)} insert into products (id, slug, title, price_cents, active, created_at, updated_at)
      select ${id("cccc", "n")}, 'course-' || n, 'Course ' || n, 19700, 1, '${when}', '${when}' from numbers;
    ${numbers(0, courses)} insert into modules (id, product_id, title, order_num, created_at, updated_at)
      select ${id("dddd", "n")}, ${id("cccc", "n")}, 'Module', 1, '${when}', '${when}' from numbers;
    ${numbers(0, lessons)} insert into lessons
      (id, module_id, title, slug, order_num, drip_day, content, content_html, created_at, updated_at)
      select ${id("eeee", "n")}, ${id("dddd", `n / ${lessonsEach}`)}, 'Lesson', 'lesson-' || n, n + 1, 0,
        'Words.', '<p>Words.</p>', '${when}', '${when}' from numbers;
  `);
}

function seedBatch(database: DatabaseSync, from: number, to: number) {
  const perEnrollment = numbers(from * courses, to * courses);
  const user = id("aaaa", `n / ${courses}`);
  database.exec(`
    begin;
    ${numbers(from, to)} insert into profiles (id, name, email, email_verified, role, created_at, updated_at)
      select ${id("aaaa", "n")}, 'Ada', n || '@example.com', 1, 'student', '${when}', '${when}' from numbers;
    ${perEnrollment} insert into enrollments (id, user_id, product_id, created_at)
      select ${id("bbbb", "n")}, ${user}, ${id("cccc", `n % ${courses}`)}, '${when}' from numbers;
    ${perEnrollment} insert into progress (user_id, lesson_id, answers, created_at)
      select ${user}, ${id("eeee", `(n % ${courses}) * ${lessonsEach}`)}, '[]', '${when}' from numbers;
    commit;
  `);
}
