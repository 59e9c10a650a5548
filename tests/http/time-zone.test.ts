import { afterAll, beforeAll, expect, test } from "vitest";
import { createPerson, type Person } from "../support/people.ts";
import { startSite, type TestSite } from "../support/site.ts";

let site: TestSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const visit = (as: Person | null, zone: string | null) =>
  site.ask("/courses", {
    as,
    headers: zone === null ? {} : { cookie: `tz=${encodeURIComponent(zone)}` },
  });
const stored = async ({ id }: Person) => {
  const { timeZone } = await site.services.db.write
    .selectFrom("profiles")
    .select("timeZone")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return timeZone;
};

test("the place that her browser tells is kept with her account, and follows her", async () => {
  const ada = await createPerson(site.services);
  await visit(ada, null);
  expect(await stored(ada)).toBeNull();
  await visit(ada, "Australia/Lord_Howe");
  expect(await stored(ada)).toBe("Australia/Lord_Howe");
  await visit(ada, "America/New_York");
  expect(await stored(ada)).toBe("America/New_York");
  await visit(ada, null);
  expect(await stored(ada)).toBe("America/New_York");
});

test.each(["Mars/Olympus", "+05:30", "", "%", "a".repeat(100), "Europe/Berlin'--"])(
  "'%s' is no place: the page comes, and nothing is kept",
  async (zone) => {
    const ada = await createPerson(site.services);
    expect((await visit(ada, zone)).status).toBe(200);
    expect(await stored(ada)).toBeNull();
  },
);

test("of whoever is not signed in nothing is kept, and of others neither", async () => {
  const ada = await createPerson(site.services);
  expect((await visit(null, "Asia/Kolkata")).status).toBe(200);
  await visit(await createPerson(site.services), "Asia/Kolkata");
  expect(await stored(ada)).toBeNull();
});
