import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openTestServices } from "../../../tests/support/services.ts";
import { startUnreliableProxy } from "../../../tests/support/unreliable-network.ts";
import { isUnreachable } from "./errors.ts";
import { openPostgres } from "./postgres.ts";

const server = process.env.TEST_DATABASE_URL;
let test$: Awaited<ReturnType<typeof openTestServices>>;
beforeAll(async () => {
  test$ = await openTestServices();
});
afterAll(() => test$.close());

// Whatever is not caught ends the process; here it fails the run.
test.runIf(server)(
  "a connection that breaks between two statements is an error of its transaction",
  async () => {
    const { db, log } = test$.services;
    const told = vi.spyOn(log, "error");
    const broken = db.transaction(async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
      await sql`select pg_terminate_backend(${rows[0]?.pid}::int)`.execute(db.read);
      await vi.waitFor(() => expect(told).toHaveBeenCalled(), { timeout: 10_000 });
      await sql`select 1`.execute(trx);
    });
    await expect(broken).rejects.toThrow();
    expect((await sql`select 1 as one`.execute(db.read)).rows).toEqual([{ one: 1 }]);
  },
);

test.runIf(server)("a connection on which nothing comes any more is given up", async () => {
  const { hostname, port } = new URL(server ?? "");
  const wire = await startUnreliableProxy(hostname, Number(port || 5432));
  const url = Object.assign(new URL(server ?? ""), { host: `127.0.0.1:${wire.port}` });
  const db = openPostgres(url.href, { onError: () => {}, silence: 500 });
  const ask = () => sql`select 1 as one`.execute(db);
  expect((await ask()).rows).toEqual([{ one: 1 }]);
  wire.falter();
  const failure = await ask().catch((error: unknown) => error);
  expect(isUnreachable(failure)).toBe(true);
  expect((await ask()).rows).toEqual([{ one: 1 }]);
  await db.destroy();
  await wire.close();
});
