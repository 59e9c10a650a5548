import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "~/platform/db/ids.ts";
import { readTallies, readTotals, sumUpTallies, type TallyKind } from "~/platform/db/tallies.ts";
import { weeksUntil } from "~/platform/time/weeks.ts";
import { createCourse } from "../../../tests/support/courses.ts";
import { recordPayment } from "../../../tests/support/payments.ts";
import { createPerson } from "../../../tests/support/people.ts";
import { diceOf } from "../../../tests/support/random.ts";
import { openTestServices } from "../../../tests/support/services.ts";
import { readVisits } from "./visits.server.ts";
import { listWeekFigures, readWeeks } from "./weeks.server.ts";

let site: Awaited<ReturnType<typeof openTestServices>>;
beforeAll(async () => {
  site = await openTestServices();
});
afterAll(() => site.close());

const dayMs = 24 * 3600_000;
const now = new Date("2026-11-28T09:41:00Z");

/** The same figures from the rows themselves, one by one. */
async function counted({ starts, end }: { starts: Date[]; end: Date }) {
  const { read } = site.services.db;
  const ends = [...starts.slice(1), end];
  const weeks = starts.map(() => new Map<string, [number, number]>());
  const add = (kind: TallyKind, subject: string, at: Date | null, cents = 0) => {
    const week = starts.findIndex((start, n) => at && at >= start && at < (ends[n] ?? new Date(0)));
    const sums = weeks[week];
    if (!sums) return;
    const [count, sum] = sums.get(`${kind} ${subject}`) ?? [0, 0];
    sums.set(`${kind} ${subject}`, [count + 1, sum + cents]);
  };
  for (const one of await read.selectFrom("profiles").selectAll().execute())
    if (one.emailVerified && one.role === "student") add("signed-up", "", one.createdAt);
  for (const table of ["enrollments", "formerEnrollments"] as const)
    for (const { createdAt } of await read.selectFrom(table).select("createdAt").execute())
      add("enrolled", "", createdAt);
  for (const one of await read.selectFrom("payments").selectAll().execute())
    add("paid", one.currency, one.paidAt, one.amountCents);
  const refunds = read.selectFrom("paymentRefunds as refunds");
  for (const one of await refunds
    .innerJoin("payments", "payments.id", "refunds.paymentId")
    .select(["refunds.cents", "refunds.createdAt", "payments.currency"])
    .execute())
    add("refunded", one.currency, one.createdAt, one.cents);
  for (const one of await read.selectFrom("subscribers").selectAll().execute()) {
    add("confirmed", "", one.confirmedAt);
    const isGone = one.confirmedAt && one.unsubscribedAt && one.unsubscribedAt > one.confirmedAt;
    if (isGone) add("gone", "", one.unsubscribedAt);
  }
  return weeks.map((sums) => Object.fromEntries([...sums].sort()));
}

const kinds = ["signed-up", "enrolled", "paid", "refunded", "confirmed", "gone"] as const;

async function summed(weeks: { starts: Date[]; end: Date }) {
  const all = await readTallies(site.services.db, kinds, weeks);
  return all.map((tallies) =>
    Object.fromEntries(
      tallies
        .map(({ kind, subject, count, cents }) => [`${kind} ${subject}`, [count, cents]] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  );
}

test("the sums of each week are what counting all rows gives, whatever happened to them", async () => {
  const { services } = site;
  const { write } = services.db;
  const dice = diceOf(24, 1);
  const course = await createCourse(services, [[{}]]);
  const moment = () => new Date(now.getTime() - dice.below(100 * dayMs));
  const anyId = async (table: "profiles" | "enrollments" | "payments" | "subscribers") => {
    const rows = await write.selectFrom(table).select("id").orderBy("id").execute();
    return rows.length > 0 ? dice.pick(rows).id : null;
  };
  const join = async () => {
    const { id } = await createPerson(services, { role: dice.chance(0.1) ? "admin" : "student" });
    const [createdAt, emailVerified] = [moment(), dice.chance(0.7)];
    await write
      .updateTable("profiles")
      .set({ createdAt, emailVerified })
      .where("id", "=", id)
      .execute();
  };
  const deeds: (() => Promise<unknown>)[] = [
    join,
    join,
    async () => {
      const id = (await anyId("profiles")) ?? "";
      await write
        .updateTable("profiles")
        .set({ emailVerified: true })
        .where("id", "=", id)
        .execute();
    },
    async () => {
      const userId = await anyId("profiles");
      if (!userId) return;
      const row = { id: newId(), userId, productId: course.id, createdAt: moment() };
      await write
        .insertInto("enrollments")
        .values(row)
        .onConflict((at) => at.doNothing())
        .execute();
    },
    async () => {
      const userId = await anyId("profiles");
      if (!userId) return;
      const id = await recordPayment(services, { userId, productId: course.id });
      const currency = dice.pick(["usd", "eur"]);
      const paid = {
        paidAt: dice.chance(0.8) ? moment() : null,
        amountCents: dice.below(40_000),
        currency,
      };
      await write.updateTable("payments").set(paid).where("id", "=", id).execute();
    },
    async () => {
      const paymentId = await anyId("payments");
      if (!paymentId) return;
      const row = { id: newId(), paymentId, cents: dice.below(9000) - 1000, createdAt: moment() };
      await write.insertInto("paymentRefunds").values(row).execute();
    },
    // Access ends: the enrollment goes to the former ones, with its time.
    async () => {
      const id = await anyId("enrollments");
      if (!id) return;
      await services.db.transaction(async (trx) => {
        const rows = await trx
          .deleteFrom("enrollments")
          .where("id", "=", id)
          .returningAll()
          .execute();
        const gone = rows.map((row) => ({ ...row, removedAt: now, removedBy: "stripe" }));
        await trx.insertInto("formerEnrollments").values(gone).execute();
      });
    },
    // An account is deleted, with all that hangs on it but its payments.
    async () => {
      const id = (await anyId("profiles")) ?? "";
      await write.deleteFrom("profiles").where("id", "=", id).execute();
    },
    async () => {
      const email = `${newId()}@example.com`;
      const row = {
        id: newId(),
        email,
        emailKey: email,
        firstName: "Ada",
        status: "pending",
      } as const;
      const times = { askedAt: now, createdAt: now, generation: 1, emailTimes: "[]" };
      await write
        .insertInto("subscribers")
        .values({ ...row, ...times })
        .execute();
    },
    async () => {
      const id = (await anyId("subscribers")) ?? "";
      const change = dice.pick([{ confirmedAt: moment() }, { unsubscribedAt: moment() }]);
      await write.updateTable("subscribers").set(change).where("id", "=", id).execute();
    },
    () => (dice.chance(0.2) ? sumUpTallies(services.db) : Promise.resolve()),
  ];
  for (let n = 0; n < 240; n += 1) {
    await dice.pick(deeds)();
    if (n % 40 !== 0) continue;
    const weeks = weeksUntil(now, dice.pick(["UTC", "America/New_York", "Asia/Kathmandu"]), 12);
    expect(await summed(weeks)).toEqual(await counted(weeks));
  }
  await sumUpTallies(services.db);
  const weeks = weeksUntil(now, "Australia/Lord_Howe", 12);
  expect(await summed(weeks)).toEqual(await counted(weeks));
  const enrolled = await write.selectFrom("enrollments").select("id").execute();
  const totals = await readTotals(services.db, "students", [course.id]);
  expect(totals.get(course.id) ?? 0).toBe(enrolled.length);
});

test("a transaction that is undone changes no sum", async () => {
  const { db } = site.services;
  const weeks = weeksUntil(new Date(), "UTC", 1);
  const before = await summed(weeks);
  const undone = db.transaction(async (trx) => {
    await createPerson({ ...site.services, db: { ...db, write: trx } });
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect(await summed(weeks)).toEqual(before);
});

test("readWeeks: money has its currency, this week is the last, and a site without sales has a line", async () => {
  const own = await openTestServices();
  try {
    const { weeks, figures } = await readWeeks(own.services, "America/New_York");
    expect(weeks).toHaveLength(12);
    expect(figures.map(({ name }) => name)).toEqual([
      ...["Sign-ups", "Enrollments", "Revenue", "Refunds"],
      ...["Subscribers confirmed", "Subscribers gone"],
    ]);
    const [, , revenue] = figures;
    expect(revenue?.words.at(-1)).toBe("$0.00");
    expect(revenue?.summary).toBe("Revenue in the last 12 weeks: none. This week so far: $0.00.");
    const { id: userId } = await createPerson(own.services);
    const course = await createCourse(own.services, [[{}]]);
    const id = await recordPayment(own.services, { userId, productId: course.id });
    await recordPayment(own.services, { userId, productId: course.id });
    await own.services.db.write
      .updateTable("payments")
      .set({ currency: "jpy", amountCents: 2500 })
      .where("id", "=", id)
      .execute();
    const after = await readWeeks(own.services, "America/New_York");
    const words = after.figures.map(({ name, words }) => [name, words.at(-1)]);
    expect(words).toContainEqual(["Revenue, JPY", "¥2,500"]);
    expect(words).toContainEqual(["Revenue, USD", "$197.00"]);
    const lines = await listWeekFigures(own.services, "America/New_York");
    expect(lines).toHaveLength(12 * 8);
    expect(lines.at(-5)).toMatchObject({ isOver: false, figure: "Revenue, USD", currency: "USD" });
    expect(lines.filter(({ value }) => value === "197.00")).toHaveLength(1);
    const { rows } = await sql`select 1 from tallies where subject like ${userId}`.execute(
      own.services.db.read,
    );
    expect(rows).toEqual([]);
  } finally {
    await own.close();
  }
});

test("visits stand in the weeks of the coach, where it is Monday already", async () => {
  const clock = { now: () => new Date("2026-11-29T22:00:00Z") };
  const services = { ...site.services, clock };
  const row = { page: "/", host: "", arrivals: 3, openings: 3 };
  await services.db.write
    .insertInto("visits")
    .values({ ...row, day: "2026-11-29" })
    .execute();
  for (const [zone, lastTwo] of [
    ["Pacific/Auckland", ["3", "0"]],
    ["America/New_York", ["0", "3"]],
  ] as const) {
    const [{ weeks }, visits] = [await readWeeks(services, zone), await readVisits(services, zone)];
    expect(visits.weeks).toEqual(weeks);
    expect(visits.figure.words.slice(-2)).toEqual(lastTwo);
  }
});
