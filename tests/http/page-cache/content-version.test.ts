import pg from "pg";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { removeShareCard, requestShareCard } from "~/features/share-cards/share-cards.server.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { readContentVersion } from "~/platform/pages/page-cache.ts";
import { createCourse } from "../../support/courses.ts";
import { openForTests } from "../../support/open-for-tests.ts";
import { createPerson } from "../../support/people.ts";
import { openTestServices } from "../../support/services.ts";

const opened = openForTests(openTestServices);
let db: Services["db"];
let ids: { products: string; modules: string; lessons: string };
/** Without anything in them, so that they can be deleted for good. */
let empty: { course: string; module: string };

beforeAll(async () => {
  db = opened.services.db;
});
beforeEach(async () => {
  const { id, modules } = await createCourse(opened.services, [[{}], []]);
  empty = {
    course: (await createCourse(opened.services, [])).id,
    module: modules[1]?.id ?? "",
  };
  ids = { products: id, modules: modules[0]?.id ?? "", lessons: modules[0]?.lessons[0]?.id ?? "" };
});

const version = () => readContentVersion(db.read);
/** How far the version moves while something is done. */
async function moves(work: () => Promise<unknown>): Promise<number> {
  const before = await version();
  await work();
  return (await version()) - before;
}

const rename = (table: keyof typeof ids, id = ids[table], on = db.write) =>
  on.updateTable(table).set({ title: "New" }).where("id", "=", id).execute();

const remove = (table: keyof typeof ids, id: string) =>
  db.write.deleteFrom(table).where("id", "=", id).execute();

const requestCard = (title: string) =>
  requestShareCard(db.write, opened.services, {
    page: "home",
    card: { brand: "Blue Dot", title, drawing: "water" },
  });

test.each<[string, number, () => Promise<unknown>]>([
  ["a new course", 1, () => createCourse(opened.services, [])],
  [
    "a new module",
    1,
    () => {
      const times = { createdAt: new Date(), updatedAt: new Date() };
      const module = { id: newId(), productId: ids.products, title: "M", orderNum: 9, ...times };
      return db.write.insertInto("modules").values(module).execute();
    },
  ],
  ["another title of a course", 1, () => rename("products")],
  ["another title of a module", 1, () => rename("modules")],
  ["another title of a lesson", 1, () => rename("lessons")],
  ["a lesson that is deleted for good", 1, () => remove("lessons", ids.lessons)],
  ["a module that is deleted for good", 1, () => remove("modules", empty.module)],
  ["a course that is deleted for good", 1, () => remove("products", empty.course)],
  [
    "a transaction, when it is committed",
    1,
    () =>
      db.transaction(async (trx) => {
        await rename("lessons", ids.lessons, trx);
        await rename("products", ids.products, trx);
      }),
  ],
  [
    "a transaction that is rolled back",
    0,
    () =>
      db
        .transaction(async (trx) => {
          await rename("products", ids.products, trx);
          throw new Error("no");
        })
        .catch(() => {}),
  ],
  ["a share picture that is requested", 1, () => requestCard("A title")],
  ["the same one", 0, () => requestCard("A title")],
  ["one of other words", 1, () => requestCard("Another title")],
  ["one that is removed", 1, () => removeShareCard(db.write, "home")],
  ["a new user", 0, () => createPerson(opened.services)],
  ["an update of nothing", 0, () => rename("products", "none")],
])("the content's version and %s: %i", async (_, expected, work) => {
  expect(Math.min(await moves(work), 1)).toBe(expected);
});

test.runIf(process.env.TEST_DATABASE_URL)(
  "the content's version: two changes at once do not wait for each other in a circle",
  async () => {
    const lesson = Promise.withResolvers<void>();
    const course = Promise.withResolvers<void>();
    const both = () =>
      Promise.all([
        db.transaction(async (trx) => {
          await rename("lessons", ids.lessons, trx);
          lesson.resolve();
          await course.promise;
          await rename("products", ids.products, trx);
        }),
        db.transaction(async (trx) => {
          await lesson.promise;
          await rename("products", ids.products, trx);
          course.resolve();
        }),
      ]);
    expect(await moves(both)).toBe(2);
  },
);

test.runIf(process.env.TEST_DATABASE_URL)(
  "the content's version: a session without a search_path may change courses, as pg_dump's restore does",
  async () => {
    const client = new pg.Client({ connectionString: opened.services.config.databaseUrl });
    await client.connect();
    await client.query("set search_path = ''");
    const change = () => client.query("update public.products set title = title || '.'");
    expect(await moves(change)).toBe(1);
    const twice = async () => {
      await client.query("begin");
      await change();
      await change();
      await client.query("commit");
    };
    expect(await moves(twice)).toBe(1);
    await client.end();
  },
);
