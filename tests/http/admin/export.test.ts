import { beforeAll, describe, expect, test } from "vitest";
import { exportList } from "~/features/progress/export.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { recordPayment } from "../../support/payments.ts";
import { adminOfFile } from "../../support/people-of-tests.ts";
import { siteOfFile } from "../../support/site.ts";

const site = siteOfFile();
const admin = adminOfFile(site, "Nora");
let messages: TestCourse;
let calm: TestCourse;

const started = new Date("2026-02-03T04:05:06.789Z");

beforeAll(async () => {
  messages = await createCourse(site.services, [[{ slug: "a" }]], {
    slug: "letters",
    title: 'Letters, "late"',
    priceCents: 19705,
  });
  calm = await createCourse(site.services, [], { slug: "calm", title: "Calm", priceCents: 0 });
  await add("Zoë", "zoe@one.example", messages, 1, "pi_1");
  await add('Ada "the first",\nCountess', "ada@one.example", messages, 2);
  await add("李", "li@two.example", calm, 3);
});

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
  // Together: an old account without an enrollment is removed by the site at any moment.
  await db.transaction(async (trx) => {
    const profile = { id, name, email, emailVerified: minutes !== 2, role: "student" as const };
    await trx
      .insertInto("profiles")
      .values({ ...profile, createdAt, updatedAt: createdAt })
      .execute();
    if (course)
      await trx
        .insertInto("enrollments")
        .values({ id: newId(), userId: id, productId: course.id, createdAt, stripePaymentId })
        .execute();
  });
  return id;
}

async function file(path: string) {
  const response = await site.ask(`/admin/export/${path}`, { as: admin });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { response, text: bytes.toString("utf8") };
}

/** The lines below the headings. */
async function lines(path: string): Promise<string[]> {
  return (await file(path)).text.split("\r\n").slice(1, -1);
}

const countess = '"Ada ""the first"",\nCountess"';
const letters = '"Letters, ""late"""';

test("GET /admin/export/enrollments: for Excel, times in UTC, in the list's order", async () => {
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
      `${countess},ada@one.example,${letters},2026-02-03T04:07:06.789Z,`,
      `Zoë,zoe@one.example,${letters},2026-02-03T04:06:06.789Z,pi_1`,
      "",
    ].join("\r\n"),
  );
});

test.each([
  [
    "courses?sort=title",
    "title,slug,price,active,coming_soon,lessons",
    ["Calm,calm,0.00,yes,no,0", `${letters},letters,197.05,yes,no,1`],
  ],
  ["modules", "title,course,order,lessons", [`Module 1,${letters},1,1`]],
  [
    "lessons",
    "title,slug,course,module,order,drip_day,video,audio",
    [`Lesson 1.1,a,${letters},Module 1,1,0,no,no`],
  ],
])("GET /admin/export/%s: prices in dollars, no text of a lesson", async (list, heading, rows) => {
  expect((await file(list)).text).toBe([`\ufeff${heading}`, ...rows, ""].join("\r\n"));
});

test("GET /admin/export/payments: amounts as numbers, who paid, and no unfinished checkout", async () => {
  const { db } = site.services;
  const userId = await add("Paula; =1+1", "paula@paid.example", null, 4);
  const pay = async (values: object, paymentIntentId: string) => {
    const id = await recordPayment(site.services, {
      ...{ userId, productId: messages.id, paymentIntentId },
    });
    await db.write.updateTable("payments").set(values).where("id", "=", id).execute();
  };
  const at = (minutes: number) => ({ paidAt: new Date(started.getTime() + minutes * 60_000) });
  await pay({ ...at(1), userId: null, status: "refunded", refundedCents: 19700 }, "pi_a");
  await pay({ ...at(2), amountCents: 19705, refundedCents: 5000 }, "pi_b");
  await pay({ ...at(3), amountCents: 19700, currency: "jpy" }, "pi_c");
  await pay({ paidAt: null, status: "expired" }, "pi_d");
  const { text } = await file("payments");
  expect(text.split("\r\n").map((line) => line.replaceAll(letters, "L"))).toEqual([
    "\ufeffpaid_at,name,email,course,amount,refunded,currency,state,stripe_id",
    "2026-02-03T04:08:06.789Z,Paula;' =1+1,paula@paid.example,L,19700,0,JPY,Paid,pi_c",
    "2026-02-03T04:07:06.789Z,Paula;' =1+1,paula@paid.example,L,197.05,50.00,USD,Partly refunded,pi_b",
    "2026-02-03T04:06:06.789Z,,,L,197.00,197.00,USD,Refunded,pi_a",
    "",
  ]);
  expect(await lines("payments?q=paula")).toHaveLength(2);
  const audit = await db.read
    .selectFrom("auditEntries")
    .select("label")
    .where("action", "=", "list.exported")
    .where("label", "=", "payments")
    .execute();
  expect(audit).toHaveLength(2);
  await db.write.deleteFrom("payments").execute();
  await db.write.deleteFrom("profiles").where("id", "=", userId).execute();
});

test("a list is exported as it is searched, filtered and sorted, whatever page is shown", async () => {
  const [zoe, ada, li] = [
    "Zoë,zoe@one.example,yes,no,,2026-02-03T04:06:06.789Z,0,1,",
    `${countess},ada@one.example,no,no,,2026-02-03T04:07:06.789Z,0,1,`,
    "李,li@two.example,yes,no,,2026-02-03T04:08:06.789Z,0,0,",
  ];
  expect(await lines("students?q=one.example")).toEqual([ada, zoe]);
  expect(await lines("students?q=one.example&sort=-email")).toEqual([zoe, ada]);
  expect(await lines(`students?course=${calm.id}&at=anything`)).toEqual([li]);
  const nora = (await lines("students")).filter((line) => line.startsWith("Nora,"));
  expect(nora).toEqual([expect.stringContaining(",yes,yes,")]);
  expect(await lines(`enrollments?course=${messages.id}&sort=created`)).toMatchObject([
    expect.stringMatching(/^Zoë/),
    expect.stringMatching(/^"Ada/),
  ]);
  expect(await lines("enrollments?q=nobody")).toEqual([]);
  expect(await lines(`lessons?module=${messages.modules[0]?.id}`)).toHaveLength(1);
  expect(await lines(`lessons?module=${newId()}`)).toEqual([]);
});

test.each(["=1+1", "+44 1", "-2", "@sum", "\t=1", "\r=1"])(
  "a spreadsheet calculates nothing of a name such as %j",
  async (name) => {
    const id = await add(name, `x-${newId()}@signs.example`, null);
    const [line = ""] = await lines("students?q=signs.example");
    const inert = `'${name.replace(/^[\t\r]/, "$&'")}`;
    expect(line.replace(/^"/, "").slice(0, inert.length)).toBe(inert);
    await site.services.db.write.deleteFrom("profiles").where("id", "=", id).execute();
  },
);

test.each(["x;=1+1", "x; @sum", 'x;"=1+1"', "x\t+1", "x\n-1", "\n=1", "x\r=1", "x;\uff1d1"])(
  "nor of %j, whichever sign separates its cells, as semicolons in half of Europe",
  async (name) => {
    const email = `x-${newId()}@semicolons.example`;
    await add(name, email, calm, 7, `pi;=${newId()}`);
    for (const list of ["students", "enrollments"]) {
      const { text } = await file(`${list}?q=${email}`);
      expect(text).toContain(email);
      const cells = text.split(/[;\t\r\n]/).map((cell) => cell.replace(/^["\s]+/, ""));
      expect(cells.filter((cell) => /^[=+\-@\uff1d]/.test(cell))).toEqual([]);
    }
  },
);

test("GET /admin/export: no other lists, and no data for the router", async () => {
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

  /** The services with a hook before each query. */
  const watched = (onQuery: () => void) => {
    const { services } = site;
    const read = new Proxy(services.db.read, {
      get(target, name) {
        if (name === "selectFrom") onQuery();
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    return { ...services, db: { ...services.db, read } };
  };
  const url = new URL("http://site/admin/export/students");
  const asked = { url, timeZone: "UTC" };

  test("is read no further than it is taken, and not at all when the client has gone", async () => {
    let reads = 0;
    const stream = await exportList(
      watched(() => {
        reads += 1;
      }),
      "students",
      asked,
    );
    const perPart = reads;
    expect(perPart).toBeGreaterThan(0);
    const reader = stream?.getReader();
    await reader?.read();
    await new Promise((resolve) => setImmediate(resolve));
    expect(reads).toBeLessThanOrEqual(2 * perPart);
    await reader?.cancel();
    // A part that is being read is read to its end: several queries, on PostgreSQL one after another.
    const { read } = site.services.db;
    for (let n = 0; n < 20; n += 1) await read.selectFrom("settings").select("name").execute();
    expect(reads).toBeLessThanOrEqual(2 * perPart);
  });

  test("that breaks in the middle is no whole file", async () => {
    let isBroken = false;
    const stream = await exportList(
      watched(() => {
        if (isBroken) throw new Error("away");
      }),
      "students",
      asked,
    );
    isBroken = true;
    const reader = stream?.getReader();
    const all = async () => {
      while (!(await reader?.read())?.done);
    };
    await expect(all()).rejects.toThrow("away");
  });
});

test("GET /admin/export/…, and the overview, count no list; the list's own page does", async () => {
  const { db } = site.services;
  const { read } = db;
  let counts = 0;
  db.read = read.withPlugin({
    transformQuery({ node }) {
      if (JSON.stringify(node).includes(") as counted")) counts += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const countsOf = async (path: string) => {
    counts = 0;
    expect((await (await site.ask(path, { as: admin })).text()).length).toBeGreaterThan(20);
    return [path, counts];
  };
  const paths = ["courses", "modules", "lessons", "enrollments", "students", "payments", "audit"];
  for (const path of paths) {
    expect(await countsOf(`/admin/export/${path}`)).toEqual([`/admin/export/${path}`, 0]);
    const page = `/admin/${path}`;
    expect(await countsOf(page)).toEqual([page, 1]);
  }
  // Of its own lists none: it counts the courses, which stand on it.
  expect(await countsOf("/admin")).toEqual(["/admin", 1]);
  db.read = read;
});
