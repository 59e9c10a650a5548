import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signInLimits } from "~/platform/auth/sign-in-tries.ts";
import { loadConfig } from "~/platform/config/config.ts";
import type { Services } from "~/platform/http/services.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { createAccount, goodPassword, newAddress } from "../../support/accounts.ts";
import { temporaryFolder } from "../../support/config.ts";
import { createCourse } from "../../support/courses.ts";
import { freshDatabase } from "../../support/database.ts";
import { cookieOf, createPerson } from "../../support/people.ts";
import { startServing } from "../../support/process.ts";

const appUrl = "http://site.example";
type Machine = Awaited<ReturnType<typeof startServing>>;

// Two processes on one database: that is PostgreSQL.
describe.runIf(process.env.TEST_DATABASE_URL)(
  "limits of two processes are one",
  { timeout: 120_000 },
  () => {
    let database: Awaited<ReturnType<typeof freshDatabase>>;
    let machines: Machine[] = [];
    let services: Services;
    beforeAll(async () => {
      database = await freshDatabase();
      const env = {
        ...{ DATABASE_URL: database.url ?? "", AUTH_SECRET: "one-secret-for-all-".repeat(2) },
        ...{ APP_URL: appUrl, TRUSTED_PROXIES: "1" },
      };
      machines = await Promise.all([startServing(env), startServing(env)]);
      services = await openServices(
        loadConfig({ ...env, DATA_DIR: temporaryFolder(), LOG_LEVEL: "silent" }),
      );
    });
    afterAll(async () => {
      await Promise.all(machines.map((machine) => machine.kill("SIGTERM")));
      if (services) await closeServices(services);
      await database?.drop();
      for (const { dataDir } of machines) rmSync(dataDir, { recursive: true, force: true });
    });

    type Asked = { json?: object; form?: Record<string, string>; from: string; cookie?: string };
    /** So many at once, by turns at both. @returns how many were let through */
    async function ask(times: number, path: string, make: (n: number) => Asked): Promise<number> {
      const answers = await Promise.all(
        Array.from({ length: times }, async (_, n) => {
          const { json, form, from, cookie } = make(n);
          const headers = new Headers({ origin: appUrl, "x-forwarded-for": from });
          if (json) headers.set("content-type", "application/json");
          if (cookie) headers.set("cookie", cookie);
          const body = json ? JSON.stringify(json) : new URLSearchParams(form);
          const url = `http://127.0.0.1:${machines[n % 2]?.port}${path}`;
          const answer = await fetch(url, { method: "POST", headers, body, redirect: "manual" });
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
      const { email } = await createAccount(services);
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
      const { rows } = {
        rows: await services.db.read.selectFrom("rateLimits").select("key").execute(),
      };
      // Who asked is kept by nobody.
      expect(JSON.stringify(rows)).not.toMatch(/203\.0\.113|198\.51\.100/);
    });

    test("the way to pay", async () => {
      const person = await createPerson(services);
      const course = await createCourse(services, [[{}]]);
      const cookie = await cookieOf(services, person.id);
      const make = () => ({ json: { productId: course.id }, from: "203.0.113.5", cookie });
      expect(await ask(32, "/api/create-checkout", make)).toBe(20);
    });
  },
);
