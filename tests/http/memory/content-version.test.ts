import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readContentVersion } from "~/platform/db/content-version.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { createPerson } from "../../support/people.ts";
import { openTestServices } from "../../support/services.ts";

let test$: Awaited<ReturnType<typeof openTestServices>>;
let db: Services["db"];
let course: TestCourse;

beforeAll(async () => {
  test$ = await openTestServices();
  db = test$.services.db;
});
afterAll(() => test$.close());
beforeEach(async () => {
  course = await createCourse(test$.services, [[{}, {}], [{}]]);
});

const version = () => readContentVersion(db.read);
/** How far the version moves while something is done. */
async function moves(work: () => Promise<unknown>): Promise<boolean> {
  const before = await version();
  await work();
  return (await version()) !== before;
}

const lessonId = () => course.modules[0]?.lessons[0]?.id ?? "";
const moduleId = () => course.modules[0]?.id ?? "";

describe("the content's version moves", () => {
  test("with every kind of change of a course, a module and a lesson", async () => {
    expect(await moves(() => createCourse(test$.services, []))).toBe(true);
    const { id } = await createCourse(test$.services, [[{}]]);
    const rows = { id: newId(), productId: id, title: "M", orderNum: 9 };
    const now = new Date();
    const insert = () =>
      db.write
        .insertInto("modules")
        .values({ ...rows, createdAt: now, updatedAt: now })
        .execute();
    expect(await moves(insert)).toBe(true);
    for (const [table, row] of [
      ["products", course.id],
      ["modules", moduleId()],
      ["lessons", lessonId()],
    ] as const) {
      const update = () =>
        db.write.updateTable(table).set({ title: "New" }).where("id", "=", row).execute();
      expect([table, await moves(update)]).toEqual([table, true]);
    }
    const remove = (table: "lessons" | "modules" | "products", row: string) => () =>
      db.write.deleteFrom(table).where("id", "=", row).execute();
    const last = course.modules[1];
    expect(await moves(remove("lessons", last?.lessons[0]?.id ?? ""))).toBe(true);
    expect(await moves(remove("modules", last?.id ?? ""))).toBe(true);
    const empty = await createCourse(test$.services, []);
    expect(await moves(remove("products", empty.id))).toBe(true);
  });

  test("with a transaction, when it is committed", async () => {
    const change = () =>
      db.transaction(async (trx) => {
        await trx.updateTable("lessons").set({ title: "A" }).where("id", "=", lessonId()).execute();
        await trx.updateTable("products").set({ title: "A" }).where("id", "=", course.id).execute();
        await trx.updateTable("lessons").set({ title: "B" }).execute();
      });
    expect(await moves(change)).toBe(true);
  });
});

describe("it stays", () => {
  test("when a change is taken back", async () => {
    const change = () =>
      db.transaction(async (trx) => {
        await trx.updateTable("products").set({ title: "A" }).execute();
        throw new Error("no");
      });
    expect(await moves(() => change().catch(() => {}))).toBe(false);
  });

  test("when something else is written, or nothing changes", async () => {
    expect(await moves(() => createPerson(test$.services))).toBe(false);
    const nothing = () =>
      db.write.updateTable("products").set({ title: "A" }).where("id", "=", "none").execute();
    expect(await moves(nothing)).toBe(false);
  });
});

test.runIf(process.env.TEST_DATABASE_URL)(
  "two changes at once do not wait for each other in a circle",
  async () => {
    const change = (table: "products" | "lessons", id: string) =>
      sql`update ${sql.table(table)} set title = 'x' where id = ${id}`;
    const [lessonChanged, courseChanged] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ];
    const before = await version();
    await Promise.all([
      db.transaction(async (trx) => {
        await change("lessons", lessonId()).execute(trx);
        lessonChanged.resolve();
        await courseChanged.promise;
        await change("products", course.id).execute(trx);
      }),
      db.transaction(async (trx) => {
        await lessonChanged.promise;
        await change("products", course.id).execute(trx);
        courseChanged.resolve();
      }),
    ]);
    expect(await version()).toBe(before + 2);
  },
);

test.runIf(process.env.TEST_DATABASE_URL)(
  "a session that finds no table by its bare name may change courses: so does pg_dump's restore",
  async () => {
    const client = new pg.Client({ connectionString: test$.services.config.databaseUrl });
    await client.connect();
    await client.query("set search_path = ''");
    const change = () => client.query("update public.products set title = title || '.'");
    expect(await moves(change)).toBe(true);
    const before = await version();
    await client.query("begin");
    await change();
    await change();
    await client.query("commit");
    expect(await version()).toBe(before + 1);
    await client.end();
  },
);
