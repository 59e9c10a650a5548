import type { Updateable } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import type { ProductsTable } from "~/platform/db/tables.ts";
import { createCourse } from "../support/courses.ts";
import { linesOf } from "../support/page-text.ts";
import { createPerson } from "../support/people.ts";
import { startServing } from "../support/process.ts";
import { mainOf, readable, toastOf } from "../support/responses.ts";
import { startSite, type TestSite } from "../support/site.ts";

const blueDot = "blue-dot-method";
const calm = "seven-days-of-calm";
const pages = [
  [blueDot, "$197"],
  [calm, "$47"],
] as const;
const refund =
  "You can have your money back within 14 days, as long as you have completed no more than 25% of the lessons.";

const opened: TestSite[] = [];
afterAll(async () => {
  for (const site of opened) await site.close();
});

/** A site with both courses, and a user of each kind. */
async function open(values: Updateable<ProductsTable> = {}) {
  const site = await startSite();
  opened.push(site);
  const { services } = site;
  const courses = [
    await createCourse(services, [], { slug: blueDot, priceCents: 19700 }),
    await createCourse(services, [], { slug: calm, priceCents: 4700 }),
  ];
  if (Object.keys(values).length > 0)
    await services.db.write.updateTable("products").set(values).execute();
  const enrolled = await createPerson(services);
  for (const { id } of courses) await enroll(services, { userId: enrolled.id, productId: id });
  const users = {
    anonymous: null,
    student: await createPerson(services),
    admin: await createPerson(services, { role: "admin" }),
  };
  return {
    ...site,
    enrolled,
    users,
    anybody: Object.values(users),
    change: (slug: string, values: Updateable<ProductsTable>) =>
      services.db.write.updateTable("products").set(values).where("slug", "=", slug).execute(),
    /** The main part of a page, as lines. */
    async read(slug: string, as: { id: string } | null = null) {
      const response = await site.ask(`/courses${slug && `/${slug}`}`, { as });
      expect(response.status).toBe(200);
      return linesOf(mainOf(await response.text())).join("\n");
    },
    async press(slug: string, as: { id: string } | null) {
      const response = await site.ask(`/courses/${slug}`, { as, form: {} });
      expect(response.status).toBe(303);
      return [response.headers.get("location"), toastOf(response)?.title ?? null];
    },
  };
}
type Opened = Awaited<ReturnType<typeof open>>;

/** The page cache sees within a second what was changed behind the site's back. */
const soon = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 10_000, interval: 100 });

describe("courses that are coming soon", () => {
  let site: Opened;
  beforeAll(async () => {
    site = await open({ comingSoon: true });
  });

  test.each(pages)("/courses/%s: is not sold, but its students go in", async (slug, price) => {
    const page = `/courses/${slug}`;
    for (const user of site.anybody) {
      const main = await site.read(slug, user);
      expect(main).toContain("Not open yet. The weekly newsletter will say when it is.");
      expect(main).toContain(`${price}.00 One-time payment`);
      expect(main).not.toMatch(/Enroll Now|Continue Learning|money back within/);
      expect(await site.press(slug, user)).toEqual([page, null]);
    }
    const html = await (await site.ask(page)).text();
    expect(html).toMatch(/<form [^>]*action="\/newsletter"[^>]*><button [^>]*>Coming Soon</);
    expect(mainOf(html)).not.toContain('method="post"');

    const main = await site.read(slug, site.enrolled);
    expect(main).toContain(`[Continue Learning](${page}/learn)`);
    expect(main).toContain("Already Enrolled");
    expect(main).not.toMatch(/Coming Soon|Enroll Now|One-time payment/);
    expect(await site.press(slug, site.enrolled)).toEqual([`${page}/learn`, null]);
  });
});

describe("courses that are sold", () => {
  let site: Opened;
  beforeAll(async () => {
    site = await open();
  });

  test.each(pages)("/courses/%s: is sold to everybody who is not enrolled", async (slug, price) => {
    const page = `/courses/${slug}`;
    for (const user of site.anybody) {
      const main = await site.read(slug, user);
      expect(main.split(`Enroll Now - ${price}`)).toHaveLength(3);
      expect(main.split(`${price}.00 One-time payment`)).toHaveLength(2);
      expect(main).toContain(refund);
      expect(main).not.toMatch(/Coming Soon|Continue Learning/);
    }
    const { anonymous, student, admin } = site.users;
    expect(await site.press(slug, anonymous)).toEqual([
      `/auth?redirect=${page}`,
      "Please sign in to enroll in this course",
    ]);
    for (const user of [student, admin])
      expect(await site.press(slug, user)).toEqual([page, "Enrollment"]);
    expect(await site.press(slug, site.enrolled)).toEqual([`${page}/learn`, null]);
    const main = await site.read(slug, site.enrolled);
    expect(main).toContain("Continue Learning");
    expect(main).not.toContain("Enroll Now");
  });

  test.each([
    [4750, "Enroll Now - $47.50", "$47.50 One-time payment"],
    [125000, "Enroll Now - $1,250", "$1,250.00 One-time payment"],
    [0, "Enroll Now", "Free"],
  ])("a price of %i cents: '%s' and '%s'", async (priceCents, label, price) => {
    await site.change(blueDot, { priceCents });
    for (const user of [site.users.student, null])
      await soon(async () => {
        const lines = (await site.read(blueDot, user)).split("\n");
        expect(lines.filter((line) => line.startsWith(label))).toHaveLength(2);
        expect(lines).toContain(price);
        if (priceCents === 0) expect(lines.join()).not.toMatch(/\$|One-time payment|money back w/);
      });
    const main = await site.read(blueDot, site.enrolled);
    expect(main).not.toMatch(/\$|Free\n|One-time payment|money back within/);
    await soon(async () => expect((await site.read("")).includes("Free")).toBe(priceCents === 0));
    await site.change(blueDot, { priceCents: 19700 });
  });

  test("'Coming soon': changes the page and the list at once, and what their buttons do", async () => {
    for (const slug of [calm, "plain-course"]) {
      if (slug !== calm) await createCourse(site.services, [], { slug, priceCents: 0 });
      await soon(async () => expect(await site.read(slug)).toContain("Enroll Now"));
      await site.change(slug, { comingSoon: true });
      for (const user of site.anybody)
        await soon(async () => {
          const main = await site.read(slug, user);
          expect(main).toContain("Coming Soon");
          expect(main).not.toMatch(/Enroll Now|money back within/);
        });
      for (const user of site.anybody)
        expect(await site.press(slug, user)).toEqual([`/courses/${slug}`, null]);
      await soon(async () => expect(await site.read("")).toContain("Not open yet"));
      await site.change(slug, { comingSoon: false });
      await soon(async () => expect(await site.read("")).not.toContain("Not open yet"));
    }
  });

  test("an inactive course: is not sold, but its students go in", async () => {
    await site.change(calm, { active: false });
    for (const user of site.anybody)
      await soon(async () => {
        const main = await site.read(calm, user);
        expect(main).toContain("Coming Soon");
        expect(main).not.toMatch(/\$47|One-time payment|Enroll Now/);
      });
    expect(await site.press(calm, null)).toEqual([`/courses/${calm}`, null]);
    expect(await site.read(calm, site.enrolled)).toContain("Continue Learning");
    await site.change(calm, { active: true });
    await soon(async () => expect(await site.read(calm)).toContain("Enroll Now - $47"));
  });

  test("a deleted course: leaves its page standing, the same for all", async () => {
    await site.change(calm, { deletedAt: new Date() });
    for (const user of [...site.anybody, site.enrolled])
      await soon(async () => {
        const main = await site.read(calm, user);
        expect(main).toContain("# 7 Days of Calm");
        expect(main).toContain("Coming Soon");
        expect(main).not.toMatch(/\$47|One-time payment|Enroll Now|Continue Learning/);
      });
    await site.change(calm, { deletedAt: null });
  });
});

test("a database that fails: leaves the pages standing, and they are not cached like that", async () => {
  const site = await open();
  const rename = (from: string, to: string) =>
    site.services.db.write.schema.alterTable(from).renameTo(to).execute();
  await rename("products", "products_away");
  for (const user of [null, site.users.student]) {
    for (const [slug] of pages) {
      const main = await site.read(slug, user);
      expect(main).toContain("Coming Soon");
      expect(main).not.toMatch(/One-time payment|Enroll Now/);
      // A visitor who has the page still open, with its button, gets a message.
      const trouble = "Something went wrong. Please try again.";
      expect(await site.press(slug, user)).toEqual([`/courses/${slug}`, trouble]);
    }
    expect(await site.read("", user)).toContain("There is no course to show just now.");
  }
  await rename("products_away", "products");
  for (const [slug] of pages) expect(await site.read(slug)).toContain("Enroll Now - $");
  expect(await site.read("")).toContain("Learn more");
});

test("a page without its course: is a warning in the log", { timeout: 120_000 }, async () => {
  const program = await startServing({ LOG_LEVEL: "warn", SAMPLE_CONTENT: "off" });
  const page = await fetch(`http://127.0.0.1:${program.port}/courses/${blueDot}`);
  expect(await page.text()).toContain("Coming Soon");
  await program.line(new RegExp(`"slug":"${blueDot}".*"a course page has no active course"`));
  await program.kill("SIGTERM");
});

describe("/courses and /courses/{slug}", () => {
  let site: TestSite;
  const read = async (path: string) => (await site.ask(path)).text();
  beforeAll(async () => {
    site = await startSite();
    opened.push(site);
  });

  test("list active courses, oldest first, and no others; without any there is a calm sentence", async () => {
    const empty = await read("/courses");
    expect(empty).toContain("There is no course to show just now.");
    expect(empty).toContain("More courses coming soon");
    for (const title of ["The first", "The inactive", "The deleted", "The second"]) {
      const slug = title.toLowerCase().replace(" ", "-");
      await createCourse(site.services, [], { slug, title });
    }
    const products = () => site.services.db.write.updateTable("products");
    await products().set({ active: false }).where("slug", "=", "the-inactive").execute();
    await products().set({ deletedAt: new Date() }).where("slug", "=", "the-deleted").execute();
    const titles = async () =>
      [...(await read("/courses")).matchAll(/<h2[^>]*>(The [^<]*)<\/h2>/g)].map(([, of]) => of);
    await soon(async () => expect(await titles()).toEqual(["The first", "The second"]));
    expect(await read("/courses")).not.toContain("There is no course to show");
    for (const slug of ["the-inactive", "the-deleted"])
      expect((await site.ask(`/courses/${slug}`)).status).toBe(404);
  });

  test("say what is in a course, and nothing of what its lessons say", async () => {
    const { slug, modules } = await createCourse(site.services, [
      [
        { title: "Open at once", content: "secret-words" },
        { title: "Later", dripDay: 3 },
      ],
      [{ title: "Much later", dripDay: 12, prompts: [{ question: "secret?", placeholder: "" }] }],
      [],
    ]);
    const path = `/courses/${slug}`;
    const page = await read(path);
    const lines = linesOf(mainOf(page)).join("\n");
    expect(lines).toMatch(
      /### Module 1\n.*Open at once[\s\S]*Later\n?Day 3\n[\s\S]*### Module 2\n.*Much later\n?Day 12\n### Module 3/,
    );
    expect(page).not.toMatch(/secret|Day 0/);

    const now = new Date();
    const remove = (table: "lessons" | "modules", id = "") =>
      site.services.db.write
        .updateTable(table)
        .set({ deletedAt: now })
        .where("id", "=", id)
        .execute();
    await remove("lessons", modules[1]?.lessons[0]?.id);
    await soon(async () => expect(await read(path)).not.toContain("Much later"));
    await remove("modules", modules[1]?.id);
    await soon(async () => expect(await read(path)).not.toContain("Module 2"));
  });

  test("show a description with its paragraphs, and so does My Courses", async () => {
    const description = "About <b>the</b> morning.\n\nAbout the evening,\nand the night.";
    const { id, slug } = await createCourse(site.services, []);
    const products = site.services.db.write.updateTable("products");
    await products.set({ description }).where("id", "=", id).execute();
    const student = await createPerson(site.services);
    await enroll(site.services, { userId: student.id, productId: id });
    const blocks = "\nAbout <b>the</b> morning.\nAbout the evening, and the night.\n";
    for (const path of [`/courses/${slug}`, "/courses", "/my-courses"])
      await soon(async () => {
        const response = await site.ask(path, { as: student });
        const lines = linesOf(mainOf(await response.text()));
        expect(lines.join("\n"), path).toContain(blocks);
      });
  });

  test("of a free course say nothing of money", async () => {
    const { slug } = await createCourse(site.services, [[{}]], { priceCents: 0 });
    const page = await read(`/courses/${slug}`);
    expect(page).toContain(">Free<");
    expect(page).not.toMatch(/\$0|One-time payment|money back/);
  });

  test("show markup in a title as text, also in the data for search engines and the sitemap", async () => {
    const title = "</script><script>alert(1)</script><!-- & \u2028 <img src=x onerror=alert(1)>";
    const slug = "a&b<c>'d";
    await createCourse(site.services, [[{ title }]], { title, slug });
    await soon(async () => {
      for (const path of ["/courses", `/courses/${encodeURIComponent(slug)}`]) {
        const html = await read(path);
        expect(html).not.toMatch(/<script>alert|<img src=x/);
        expect(readable(html)).toContain("<img src=x onerror=alert(1)>");
        const data = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
        const names = data.map(([, json = ""]) => JSON.stringify(JSON.parse(json)));
        expect(names.join()).toContain(JSON.stringify(title).slice(1, -1));
      }
    });
    expect(await read("/sitemap.xml")).toContain("/courses/a&amp;b%3Cc%3E&apos;d</loc>");
  });
});
