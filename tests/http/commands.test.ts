import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCourse, type TestCourse } from "../support/courses.ts";
import { createPerson, type Person } from "../support/people.ts";
import { freePort } from "../support/port.ts";
import { run } from "../support/process.ts";
import { startSite, type TestSite } from "../support/site.ts";

let site: TestSite;
let student: Person;
let course: TestCourse;

beforeAll(async () => {
  site = await startSite();
  student = await createPerson(site.services);
  course = await createCourse(site.services, [[{}]], { title: "Small Steps" });
});
afterAll(() => site.close());

/** `npm run <words>`, beside the running site. */
async function command(...words: string[]) {
  const { dataDir, databaseUrl, authSecret } = site.services.config;
  const { ended } = run("command.ts", words, {
    DATA_DIR: dataDir,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl, AUTH_SECRET: authSecret } : {}),
  });
  const { code, out, err } = await ended;
  return { code, out: out.trim(), err: err.trim() };
}

describe("npm run admin", { timeout: 120_000 }, () => {
  test("makes an administrator, whatever the capitals, also twice", async () => {
    const asked = async () => {
      const response = await site.ask("/api/verify-admin", { as: student, json: {} });
      return response.json();
    };
    expect(await asked()).toEqual({ isAdmin: false });
    const email = student.email.toUpperCase();
    for (let n = 0; n < 2; n += 1)
      expect(await command("admin", email)).toEqual({
        code: 0,
        out: `${email} is an administrator now.`,
        err: "",
      });
    expect(await asked()).toEqual({ isAdmin: true });
  });

  test("without an address, or with a stranger's, says what to do", async () => {
    expect(await command("admin")).toEqual({
      code: 1,
      out: "",
      err: "Which account? npm run admin -- someone@example.com",
    });
    expect(await command("admin", "nobody@example.com")).toEqual({
      code: 1,
      out: "",
      err: "Nobody has the address nobody@example.com. Sign up on the site first, then run this again.",
    });
  });
});

describe("npm run enroll", { timeout: 120_000 }, () => {
  test("opens the course at once, and once", async () => {
    const student = await createPerson(site.services);
    const learn = async () =>
      (await site.ask(`/courses/${course.slug}/learn`, { as: student })).status;
    expect(await learn()).toBe(303);
    expect(await command("enroll", student.email, course.slug)).toEqual({
      code: 0,
      out: `${student.email} is enrolled in “Small Steps” now.`,
      err: "",
    });
    expect(await learn()).toBe(200);
    expect((await command("enroll", student.email, course.slug)).out).toContain("nothing changed");
  });

  test("says what is missing", async () => {
    const ask = async (...words: string[]) => {
      const { code, err } = await command("enroll", ...words);
      expect(code).toBe(1);
      return err;
    };
    expect(await ask()).toBe("Who, in what? npm run enroll -- someone@example.com blue-dot-method");
    expect(await ask(student.email)).toContain("Who, in what?");
    expect(await ask("nobody@example.com", course.slug)).toContain("Nobody has the address");
    expect(await ask(student.email, "none")).toBe(
      `There is no course 'none'. There are: ${course.slug}.`,
    );
  });
});

test("mistakes in the environment are told as the start tells them", {
  timeout: 120_000,
}, async () => {
  const bad = await run("command.ts", ["admin", "a@example.com"], { DATA_DIR: "/dev/null/x" })
    .ended;
  expect([bad.code, bad.err.split("\n").length]).toEqual([1, 2]);
  expect(bad.err).toMatch(/^DATA_DIR: /);
  const dead = await run("command.ts", ["admin", "a@example.com"], {
    DATABASE_URL: `postgres://nobody@127.0.0.1:${await freePort()}/x`,
    AUTH_SECRET: "s".repeat(32),
    DATA_DIR: site.services.config.dataDir,
  }).ended;
  expect(dead.code).toBe(1);
  expect(dead.err).toMatch(/^DATABASE_URL: the database does not answer/);
});
