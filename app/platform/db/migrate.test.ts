import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPerson } from "../../../tests/support/people.ts";
import { openTestServices } from "../../../tests/support/services.ts";
import { migrate, NewerDatabase, steps } from "./migrate.ts";

let test$: Awaited<ReturnType<typeof openTestServices>>;
beforeAll(async () => {
  test$ = await openTestServices();
});
afterAll(() => test$.close());

const addColumn = async (db: Kysely<unknown>) => {
  await db.schema.alterTable("profiles").addColumn("nickname", "text").execute();
};
const nicknames = async () => {
  const { rows } = await sql`select nickname from profiles`.execute(test$.services.db.read);
  return rows;
};

test("a migration that fails changes nothing, with all that were to run with it", async () => {
  const { db } = test$.services;
  const fail = () => Promise.reject(new Error("the second one fails"));
  const all = { ...steps, "900-nickname": addColumn, "901-fails": fail };
  await expect(migrate(db.write, db.engine, all)).rejects.toThrow("the second one fails");
  await expect(nicknames()).rejects.toThrow(/nickname/);
});

test("a migration that is added runs once, and what is stored stays", async () => {
  const { db } = test$.services;
  const { id } = await createPerson(test$.services);
  const all = { ...steps, "900-nickname": addColumn };
  await migrate(db.write, db.engine, all);
  await migrate(db.write, db.engine, all);
  expect(await nicknames()).toHaveLength(1);
  const kept = await db.read.selectFrom("profiles").select("id").execute();
  expect(kept).toEqual([{ id }]);
  // The site as it was before refuses this database by name.
  const refused = migrate(db.write, db.engine);
  await expect(refused).rejects.toThrow(NewerDatabase);
  await expect(refused).rejects.toThrow("900-nickname");
});
