import { beforeAll, describe, expect, test } from "vitest";
import { createCourse, type TestCourse } from "../support/courses.ts";
import { ran, refused } from "../support/media-stores.ts";
import { createPerson, type Person } from "../support/people.ts";
import { freePort } from "../support/port.ts";
import { siteOfFile } from "../support/site.ts";

const site = siteOfFile();
let student: Person;
let course: TestCourse;

beforeAll(async () => {
  student = await createPerson(site.services);
  course = await createCourse(site.services, [[{}]], { title: "Small Steps" });
});

/** The settings of the running site, beside which the commands run. */
function env(): Record<string, string> {
  const { dataDir, databaseUrl, authSecret } = site.services.config;
  return {
    DATA_DIR: dataDir,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl, AUTH_SECRET: authSecret } : {}),
  };
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
      expect(await ran(env(), "admin", email)).toBe(`${email} is an administrator now.`);
    expect(await asked()).toEqual({ isAdmin: true });
  });

  test("without an address, or with a stranger's, says what to do", async () => {
    expect(await refused(env(), "admin")).toBe(
      "Which account? npm run admin -- someone@example.com",
    );
    expect(await refused(env(), "admin", "nobody@example.com")).toBe(
      "Nobody has the address nobody@example.com. Sign up on the site first, then run this again.",
    );
  });
});

describe("npm run enroll", { timeout: 120_000 }, () => {
  test("opens the course at once, and once", async () => {
    const student = await createPerson(site.services);
    const learn = async () =>
      (await site.ask(`/courses/${course.slug}/learn`, { as: student })).status;
    expect(await learn()).toBe(303);
    const enroll = () => ran(env(), "enroll", student.email, course.slug);
    expect(await enroll()).toBe(`${student.email} is enrolled in “Small Steps” now.`);
    expect(await learn()).toBe(200);
    expect(await enroll()).toContain("nothing changed");
  });

  test("says what is missing", async () => {
    const ask = (...words: string[]) => refused(env(), "enroll", ...words);
    expect(await ask()).toBe("Who, in what? npm run enroll -- someone@example.com blue-dot-method");
    expect(await ask(student.email)).toContain("Who, in what?");
    expect(await ask("nobody@example.com", course.slug)).toContain("Nobody has the address");
    expect(await ask(student.email, "none")).toBe(
      `There is no course 'none'. There are: ${course.slug}.`,
    );
  });
});

test("mistakes in the environment are reported as at the start", {
  timeout: 120_000,
}, async () => {
  const bad = await refused({ DATA_DIR: "/dev/null/x" }, "admin", "a@example.com");
  expect(bad.split("\n")).toHaveLength(1);
  expect(bad).toMatch(/^DATA_DIR: /);
  const away = {
    DATABASE_URL: `postgres://nobody@127.0.0.1:${await freePort()}/x`,
    AUTH_SECRET: "s".repeat(32),
    DATA_DIR: site.services.config.dataDir,
  };
  expect(await refused(away, "admin", "a@example.com")).toMatch(
    /^DATABASE_URL: the database does not answer/,
  );
});
