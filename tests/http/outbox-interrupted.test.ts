import { describe, expect, test } from "vitest";
import { resendEmail } from "~/features/email-log/email-log.server.ts";
import { claimDue, leaseMs } from "~/platform/jobs/claim.ts";
import { jobs } from "~/server/jobs.ts";
import { letterJob, outboxOfEachTest, until } from "../support/outbox.ts";

const kit = outboxOfEachTest();

/** As a worker leaves its rows behind that is killed, and whose leases have ended since. */
async function leaveBehind(owner = "killed") {
  const claim = { owner, limit: 50, jobs, mayBeAlone: true };
  const rows = await claimDue(kit.services.db, { ...claim, now: kit.clock.now() });
  kit.clock.forward(leaseMs + 1);
  return rows;
}
const count = (attempts: number, interruptions: number, ids: string[]) =>
  kit.services.db.write
    .updateTable("outbox")
    .set({ attempts, interruptions })
    .where("id", "in", ids)
    .execute();

describe("a row whose worker was killed", () => {
  test("has lost an attempt, says so, and goes out after the usual pause", async () => {
    const server = await kit.serve();
    const id = await kit.write();
    await leaveBehind();
    const worker = kit.work();
    await until(async () =>
      expect(await kit.row(id)).toMatchObject({
        ...{ attempts: 1, interruptions: 1, leaseOwner: null, failedAt: null },
        lastError: expect.stringContaining("stopped"),
      }),
    );
    expect((await kit.row(id)).dueAt.getTime()).toBeGreaterThan(kit.clock.now().getTime());
    kit.clock.forward(11_000);
    worker.wake();
    await kit.finished(id);
    expect(await kit.row(id)).toMatchObject({ attempts: 2, lastError: null });
    expect(server.ids()).toEqual([id]);
  });

  test("for the last time has failed, and is sent when the coach wants it", async () => {
    const server = await kit.serve();
    const id = await kit.write();
    await count(13, 13, [id]);
    await leaveBehind();
    kit.work();
    await until(async () =>
      expect(await kit.row(id)).toMatchObject({
        ...{ attempts: 14, leaseOwner: null, failure: "interrupted" },
        failedAt: expect.any(Date),
      }),
    );
    expect(server.ids()).toEqual([]);
    await resendEmail(kit.services, id);
    await kit.finished(id);
    expect(server.ids()).toEqual([id]);
  });

  test("has lost none if it is that very worker which takes it again: it lives", async () => {
    const id = await kit.write();
    await leaveBehind("asleep");
    const [row] = await leaveBehind("asleep");
    expect(row).toMatchObject({ id, attempts: 0, interruptions: 0 });
  });
});

test("rows that were left behind twice go one at a time, and hold up nobody else", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const begun: string[] = [];
  const run = async (_: unknown, __: unknown, { id }: { id: string }) => {
    begun.push(id);
    if (ids.includes(id)) await held;
  };
  const [usual, bulk] = [
    letterJob("test.usual", { run }),
    letterJob("test.many", { run, bulk: true }),
  ];
  const ids: string[] = [];
  for (let n = 0; n < 6; n += 1)
    ids.push(await kit.put(n % 2 === 0 ? usual : bulk, { to: "left@behind.example" }));
  await count(2, 2, ids);
  const fresh: string[] = [];
  for (let n = 0; n < 20; n += 1)
    fresh.push(await kit.put(n % 2 === 0 ? usual : bulk, { to: "new@here.example" }));
  kit.work([usual, bulk]);
  for (const id of fresh) await kit.finished(id);
  expect(begun.filter((id) => ids.includes(id))).toHaveLength(1);
  release();
  for (const id of ids) await kit.finished(id);
  expect(begun).toHaveLength(26);
});
