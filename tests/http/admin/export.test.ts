import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { exportList } from "~/features/progress/export.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { startSite, type TestSite } from "../../support/site.ts";

let site: TestSite;
let admin: Person;
let letters: TestCourse;
let calm: TestCourse;

const started = new Date("2026-02-03T04:05:06.789Z");
const dangerous = ["=1+1", "+44 1", "-2", "@sum", "\t=1", "\r=1"];

beforeAll(async () => {
  site = await startSite();
  admin = await createPerson(site.services, { role: "admin", name: "Nora" });
  letters = await createCourse(site.services, [[{ slug: "a" }]], {
    slug: "letters",
    title: 'Letters, "late"',
    priceCents: 19705,
  });
  calm = await createCourse(site.services, [], { slug: "calm", title: "Calm", priceCents: 0 });
  await add("Zoë", "zoe@one.example", letters, 1, "pi_1");
  await add('Ada "the first",\nCountess', "ada@one.example", letters, 2);
  await add("李", "li@two.example", calm, 3);
});
afterAll(() => site.close());

async function add(
  name: string,
  email: string,
  course: TestCourse | null,
  minutes = 0,
  stripePaymentId: string | null = null,
) {
  const { db } = site.services;
  const id = newId();
  const createdAt = new Date(started.getTime() + minutes * 60_000);
  await db.write
    .insertInto("profiles")
    .values({
      id,
      name,
      email,
      emailVerified: minutes !== 2,
      role: "student",
      createdAt,
      updatedAt: createdAt,
    })
    .execute();
  if (course)
    await db.write
      .insertInto("enrollments")
      .values({ id: newId(), userId: id, productId: course.id, createdAt, stripePaymentId })
      .execute();
  return id;
}

async function file(path: string) {
  const response = await site.ask(`/admin/export/${path}`, { as: admin });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { response, text: bytes.toString("utf8") };
}

/** The lines below the headings. */
async function lines(path: string): Promise<string[]> {
  const { text } = await file(path);
  return text.split("\r\n").slice(1, -1);
}

const countess = '"Ada ""the first"",\nCountess"';

test("enrollments, to the letter: for Excel, with times in UTC, in the list's order", async () => {
  const { response, text } = await file("enrollments");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  const day = site.clock.now().toISOString().slice(0, 10);
  expect(response.headers.get("content-disposition")).toBe(
    `attachment; filename="enrollments-${day}.csv"`,
  );
  expect(response.headers.get("cache-control")).toBe("private, no-store");
  expect(text).toBe(
    [
      "\ufeffname,email,course,enrolled_at,payment",
      "李,li@two.example,Calm,2026-02-03T04:08:06.789Z,",
      `${countess},ada@one.example,"Letters, ""late""",2026-02-03T04:07:06.789Z,`,
      'Zoë,zoe@one.example,"Letters, ""late""",2026-02-03T04:06:06.789Z,pi_1',
      "",
    ].join("\r\n"),
  );
});

test("courses, modules and lessons: prices in dollars, no text of a lesson", async () => {
  expect((await file("courses?sort=title")).text).toBe(
    [
      "\ufefftitle,slug,price,active,lessons",
      "Calm,calm,0.00,yes,0",
      '"Letters, ""late""",letters,197.05,yes,1',
      "",
    ].join("\r\n"),
  );
  expect((await file("modules")).text).toBe(
    ["\ufefftitle,course,order,lessons", 'Module 1,"Letters, ""late""",1,1', ""].join("\r\n"),
  );
});

test("lessons: where they stand and when they open, of one module if asked", async () => {
  const heading = "\ufefftitle,slug,course,module,order,drip_day,video,audio";
  const line = 'Lesson 1.1,a,"Letters, ""late""",Module 1,1,0,no,no';
  expect((await file("lessons")).text).toBe([heading, line, ""].join("\r\n"));
  expect(await lines(`lessons?module=${letters.modules[0]?.id}`)).toEqual([line]);
  expect(await lines(`lessons?module=${newId()}`)).toEqual([]);
});

test("a list goes out as it is searched, filtered and sorted, whatever page is shown", async () => {
  expect(await lines("students?q=one.example")).toEqual([
    `${countess},ada@one.example,no,no,,2026-02-03T04:07:06.789Z`,
    "Zoë,zoe@one.example,yes,no,,2026-02-03T04:06:06.789Z",
  ]);
  expect(await lines(`students?course=${calm.id}&at=anything`)).toEqual([
    "李,li@two.example,yes,no,,2026-02-03T04:08:06.789Z",
  ]);
  expect(await lines("students?sort=-email&q=o")).toHaveLength(2);
  expect((await lines("students")).filter((line) => line.startsWith("Nora,"))).toEqual([
    expect.stringContaining(",yes,yes,"),
  ]);
  expect(await lines(`enrollments?course=${letters.id}&sort=created`)).toMatchObject([
    expect.stringMatching(/^Zoë/),
    expect.stringMatching(/^"Ada/),
  ]);
  expect(await lines("enrollments?q=nobody")).toEqual([]);
});

test.each(dangerous)("a spreadsheet calculates nothing of a name such as %j", async (name) => {
  const id = await add(name, `x-${newId()}@signs.example`, null);
  const [line = ""] = await lines(`students?q=${encodeURIComponent("signs.example")}`);
  const inert = `'${name.replace(/^[\t\r]/, "$&'")}`;
  expect(line.replace(/^"/, "").slice(0, inert.length)).toBe(inert);
  await site.services.db.write.deleteFrom("profiles").where("id", "=", id).execute();
});

/** The cells that a spreadsheet reads where its lists are separated by semicolons, as in half of Europe. */
const cellsBySemicolon = (text: string) =>
  text.split(/[;\t\r\n]/).map((cell) => cell.replace(/^["\s]+/, ""));

test.each(["x;=1+1", "x; @sum", 'x;"=1+1"', "x\t+1", "x\n-1", "\n=1", "x\r=1", "x;\uff1d1"])(
  "nor of %j, whichever sign separates its cells",
  async (name) => {
    const email = `x-${newId()}@semicolons.example`;
    await add(name, email, calm, 7, `pi;=${newId()}`);
    for (const list of ["students", "enrollments"]) {
      const { text } = await file(`${list}?q=${email}`);
      expect(text).toContain(email);
      const cells = cellsBySemicolon(text);
      expect(cells.filter((cell) => /^[=+\-@\uff1d]/.test(cell))).toEqual([]);
    }
  },
);

test("there are no other lists, and a file is no data for a page", async () => {
  for (const name of ["journals", "progress", "sessions", "constructor", "__proto__"])
    expect((await file(name)).response.status).toBe(404);
  const data = await site.ask("/admin/export/students.data?q=zo", { as: admin });
  expect(await data.text()).not.toContain("zoe@one.example");
});

describe("a long list", () => {
  const count = 2500;
  beforeAll(async () => {
    const now = site.clock.now();
    const people = Array.from({ length: count }, (_, n) => ({
      id: newId(),
      name: `Long ${n}`,
      email: `long-${String(n).padStart(5, "0")}@long.example`,
      emailVerified: true,
      role: "student" as const,
      createdAt: now,
      updatedAt: now,
    }));
    for (let from = 0; from < count; from += 250)
      await site.services.db.write
        .insertInto("profiles")
        .values(people.slice(from, from + 250))
        .execute();
  });

  test("is whole, each row once and in order", async () => {
    const found = await lines("students?q=long.example");
    const emails = found.map((line) => line.split(",")[1]);
    expect(emails).toEqual(
      Array.from({ length: count }, (_, n) => `long-${String(n).padStart(5, "0")}@long.example`),
    );
  });

  test("is read no further than it is taken, and not at all for somebody who has gone", async () => {
    let reads = 0;
    const { services } = site;
    const read = new Proxy(services.db.read, {
      get(target, name) {
        if (name === "selectFrom") reads += 1;
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const counted = { ...services, db: { ...services.db, read } };
    const url = new URL("http://site/admin/export/students");
    const stream = await exportList(counted, "students", url);
    const perPart = reads;
    expect(perPart).toBeGreaterThan(0);
    const reader = stream?.getReader();
    await reader?.read();
    await new Promise((resolve) => setImmediate(resolve));
    const taken = reads;
    expect(taken).toBeLessThanOrEqual(2 * perPart);
    await reader?.cancel();
    await new Promise((resolve) => setImmediate(resolve));
    expect(reads).toBe(taken);
  });

  test("that breaks in the middle is no whole file", async () => {
    const { services } = site;
    const url = new URL("http://site/admin/export/students");
    let broken = false;
    const read = new Proxy(services.db.read, {
      get(target, name) {
        if (broken && name === "selectFrom") throw new Error("away");
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const stream = await exportList({ ...services, db: { ...services.db, read } }, "students", url);
    broken = true;
    const reader = stream?.getReader();
    const all = async () => {
      while (!(await reader?.read())?.done);
    };
    await expect(all()).rejects.toThrow("away");
  });
});

test("no word of the journal is in any of them", async () => {
  const userId = await add("Jo", "jo@journal.example", letters, 5);
  await completeLesson(site.services, {
    userId,
    lessonId: letters.modules[0]?.lessons[0]?.id ?? "",
    answers: [{ question: "asked-words", answer: "planted-words" }],
    drafts: [],
  });
  for (const list of ["courses", "modules", "lessons", "enrollments", "students"]) {
    const { text } = await file(list);
    expect(text).not.toMatch(/planted-words|asked-words/);
  }
});
