import { describe, expect, test } from "vitest";
import { signInLimits } from "~/platform/auth/sign-in-tries.ts";
import { createAccount, goodPassword, newAddress } from "../../support/accounts.ts";
import { createCourse } from "../../support/courses.ts";
import { openForTests } from "../../support/open-for-tests.ts";
import { cookieOf, createPerson } from "../../support/people.ts";
import { startTwoMachines } from "../../support/two-machines.ts";

// Two processes on one database: that is PostgreSQL.
describe.runIf(process.env.TEST_DATABASE_URL)(
  "limits of two processes are one",
  { timeout: 120_000 },
  () => {
    const pair = openForTests(startTwoMachines);

    type Asked = Parameters<typeof pair.ask>[2];
    /** So many at once, by turns at both. @returns how many were let through */
    async function ask(times: number, path: string, make: (n: number) => Asked): Promise<number> {
      const answers = await Promise.all(
        Array.from({ length: times }, async (_, n) => {
          const answer = await pair.ask(n % 2 ? pair.one : pair.other, path, make(n));
          await answer.text();
          return answer.status;
        }),
      );
      for (const status of answers) expect(status).toBeLessThan(600);
      return answers.filter((status) => status !== 429).length;
    }

    const wrong = "Wrong-horse-9";
    test("signing in from one address", async () => {
      const make = () => ({ json: { email: newAddress(), password: wrong }, from: "203.0.113.1" });
      expect(await ask(24, "/api/auth/sign-in/email", make)).toBe(10);
    });

    test("signing in to one account from many addresses", async () => {
      const { email } = await createAccount(pair.services);
      const make = (n: number) => ({ json: { email, password: wrong }, from: `198.51.100.${n}` });
      const { max } = signInLimits.account;
      expect(await ask(max + 14, "/api/auth/sign-in/email", make)).toBe(max);
    });

    test("signing up", async () => {
      const person = () => ({ name: "Ada", email: newAddress(), password: goodPassword });
      expect(
        await ask(14, "/api/auth/sign-up/email", () => ({ json: person(), from: "203.0.113.2" })),
      ).toBe(5);
    });

    test("a new password", async () => {
      const make = () => ({ json: { email: newAddress() }, from: "203.0.113.3" });
      expect(await ask(14, "/api/auth/request-password-reset", make)).toBe(5);
    });

    test("the newsletter, also while others sign in", async () => {
      const make = () => ({ form: { firstName: "Ada", email: newAddress() }, from: "203.0.113.4" });
      expect(await ask(30, "/newsletter", make)).toBe(20);
      const rows = await pair.services.db.read.selectFrom("rateLimits").select("key").execute();
      // Who asked is kept by no one.
      expect(JSON.stringify(rows)).not.toMatch(/203\.0\.113|198\.51\.100/);
    });

    test("the way to pay", async () => {
      const person = await createPerson(pair.services);
      const course = await createCourse(pair.services, [[{}]]);
      const cookie = await cookieOf(pair.services, person.id);
      const make = () => ({ json: { productId: course.id }, from: "203.0.113.5", cookie });
      expect(await ask(32, "/api/create-checkout", make)).toBe(20);
    });
  },
);
