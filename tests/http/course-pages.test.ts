import type { Updateable } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import type { ProductsTable } from "~/platform/db/tables.ts";
import { readable, toastOf } from "../support/answers.ts";
import { createCourse } from "../support/courses.ts";
import { createPerson } from "../support/people.ts";
import { startServing } from "../support/process.ts";
import { startSite, type TestSite } from "../support/site.ts";

const blueDot = "blue-dot-method";
const calm = "seven-days-of-calm";
const signIn = "Please sign in to enroll in this course";
const refund =
  "You can have your money back within 14 days, as long as you have completed no more than 25% of the lessons.";

const opened: TestSite[] = [];
afterAll(async () => {
  for (const site of opened) await site.close();
});

/** A site with both courses, and somebody of each kind. */
async function open(env: Record<string, string> = {}) {
  const site = await startSite(env);
  opened.push(site);
  const { services } = site;
  const courses = {
    [blueDot]: await createCourse(services, [], { slug: blueDot, priceCents: 19700 }),
    [calm]: await createCourse(services, [], { slug: calm, priceCents: 4700 }),
  };
  const student = await createPerson(services);
  const enrolled = await createPerson(services);
  for (const { id } of Object.values(courses))
    await enroll(services, { userId: enrolled.id, productId: id });
  const people = {
    anonymous: null,
    student,
    enrolled,
    administrator: await createPerson(services, { role: "admin" }),
  };
  return {
    ...site,
    people,
    change: (slug: string, values: Updateable<ProductsTable>) =>
      services.db.write.updateTable("products").set(values).where("slug", "=", slug).execute(),
    /** The main part of a page as it is read, without its drawings. */
    async read(path: string, as: { id: string } | null = null) {
      const response = await site.ask(path, { as });
      const page = readable(await response.text()).replaceAll(/<svg[\s\S]*?<\/svg>/g, "");
      return { status: response.status, main: /<main[\s\S]*<\/main>/.exec(page)?.[0] ?? "" };
    },
    async press(path: string, as: { id: string } | null = null) {
      const response = await site.ask(path, { as, form: {} });
      const location = response.headers.get("location");
      return { status: response.status, location, toast: toastOf(response)?.title ?? null };
    },
  };
}

/** Pages from memory see within a second what somebody changed behind the site's back. */
const soon = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 10_000, interval: 100 });

type Opened = Awaited<ReturnType<typeof open>>;
const pages = [blueDot, calm];
const roles = ["anonymous", "student", "administrator"] as const;

describe("the switch is on: coming soon", () => {
  let site: Opened;
  beforeAll(async () => {
    site = await open();
  });

  test.each(pages)("/courses/%s sells nothing, to nobody", async (slug) => {
    for (const role of roles) {
      const { status, main } = await site.read(`/courses/${slug}`, site.people[role]);
      expect(status).toBe(200);
      expect(main).toMatch(/<form [^>]*action="\/newsletter"[^>]*><button [^>]*>Coming Soon</);
      expect(main).toContain("Not open yet. The weekly newsletter will say when it is.");
      expect(main).toContain("One-time payment");
      expect(main).not.toMatch(/Enroll Now|Continue Learning|method="post"/);
      expect(main).not.toContain(refund);
      const pressed = await site.press(`/courses/${slug}`, site.people[role]);
      expect(pressed).toEqual({ status: 303, location: `/courses/${slug}`, toast: null });
    }
  });

  test.each(pages)("/courses/%s leads whoever is enrolled to her lessons", async (slug) => {
    const { main } = await site.read(`/courses/${slug}`, site.people.enrolled);
    expect(main).toMatch(new RegExp(`<a[^>]*href="/courses/${slug}/learn"[^>]*>Continue Learning`));
    expect(main).toContain("Already Enrolled");
    expect(main).not.toMatch(/Coming Soon|Enroll Now|One-time payment/);
    const pressed = await site.press(`/courses/${slug}`, site.people.enrolled);
    expect(pressed).toEqual({ status: 303, location: `/courses/${slug}/learn`, toast: null });
  });

  test("the price stands there already", async () => {
    expect((await site.read(`/courses/${blueDot}`)).main).toContain("$197.00");
    expect((await site.read(`/courses/${calm}`)).main).toContain("$47.00");
  });
});

describe("the switch is off: sold", () => {
  let site: Opened;
  beforeAll(async () => {
    site = await open({ COMING_SOON: "none" });
  });

  test.each([
    [blueDot, "Enroll Now - $197", "$197.00"],
    [calm, "Enroll Now - $47", "$47.00"],
  ])("/courses/%s sells to whoever is not enrolled", async (slug, label, price) => {
    for (const role of roles) {
      const { main } = await site.read(`/courses/${slug}`, site.people[role]);
      expect(main.split(label)).toHaveLength(3);
      expect(main.split(price)).toHaveLength(2);
      expect(main).toContain("One-time payment");
      expect(main).toContain(refund);
      expect(main).not.toMatch(/Coming Soon|Continue Learning/);
    }
    const page = `/courses/${slug}`;
    const press = (role: keyof Opened["people"]) => site.press(page, site.people[role]);
    expect(await press("anonymous")).toEqual({
      status: 303,
      location: `/auth?redirect=${page}`,
      toast: signIn,
    });
    const notice = { status: 303, location: page, toast: "Enrollment" };
    expect(await press("student")).toEqual(notice);
    expect(await press("administrator")).toEqual(notice);
    expect(await press("enrolled")).toEqual({
      status: 303,
      location: `${page}/learn`,
      toast: null,
    });
    const { main } = await site.read(page, site.people.enrolled);
    expect(main).toContain("Continue Learning");
    expect(main).not.toContain("Enroll Now");
  });

  test.each([
    [4750, "Enroll Now - $47.50", "$47.50"],
    [125000, "Enroll Now - $1,250", "$1,250.00"],
    [19700, "Enroll Now - $197", "$197.00"],
  ])("a price of %i cents shows", async (priceCents, label, price) => {
    await site.change(blueDot, { priceCents });
    for (const as of [site.people.student, null])
      await soon(async () => {
        const { main } = await site.read(`/courses/${blueDot}`, as);
        expect(main).toContain(`>${label}<`);
        expect(main).toContain(`>${price}<`);
      });
  });

  test("a free course says so, and nothing of paying or of money that comes back", async () => {
    await site.change(blueDot, { priceCents: 0 });
    for (const as of [site.people.student, null])
      await soon(async () => {
        const { main } = await site.read(`/courses/${blueDot}`, as);
        expect(main).toContain(">Free<");
        expect(main.split(">Enroll Now<")).toHaveLength(3);
        expect(main).not.toMatch(/\$|One-time payment/);
        expect(main).not.toContain(refund);
      });
    const { main } = await site.read(`/courses/${blueDot}`, site.people.enrolled);
    expect(main).toContain("Continue Learning");
    expect(main).not.toMatch(/\$|>Free<|One-time payment/);
    expect(main).not.toContain(refund);
    await soon(async () => {
      const cards = (await site.read("/courses")).main.split("<li").slice(1);
      expect(cards.map((card) => card.includes(">Free<"))).toEqual([true, false]);
    });
    await site.change(blueDot, { priceCents: 19700 });
  });

  test("a course that is inactive is not sold, but its students still go in", async () => {
    await site.change(calm, { active: false });
    for (const role of roles)
      await soon(async () => {
        const { status, main } = await site.read(`/courses/${calm}`, site.people[role]);
        expect(status).toBe(200);
        expect(main).toContain("Coming Soon");
        expect(main).not.toMatch(/\$47|One-time payment|Enroll Now/);
      });
    expect((await site.press(`/courses/${calm}`)).location).toBe(`/courses/${calm}`);
    const { main } = await site.read(`/courses/${calm}`, site.people.enrolled);
    expect(main).toContain("Continue Learning");
    await site.change(calm, { active: true });
    await soon(async () =>
      expect((await site.read(`/courses/${calm}`)).main).toContain("Enroll Now - $47"),
    );
  });

  test("a course that was deleted leaves its page standing, for everybody alike", async () => {
    await site.change(calm, { deletedAt: new Date() });
    for (const as of Object.values(site.people))
      await soon(async () => {
        const { status, main } = await site.read(`/courses/${calm}`, as);
        expect(status).toBe(200);
        expect(main).toContain("7 Days of Calm");
        expect(main).toContain("Coming Soon");
        expect(main).not.toMatch(/\$47|One-time payment|Enroll Now|Continue Learning/);
      });
    await site.change(calm, { deletedAt: null });
  });
});

test("a database that fails leaves the pages standing, and they are not kept like that", async () => {
  const site = await open({ COMING_SOON: "none" });
  const rename = (from: string, to: string) =>
    site.services.db.write.schema.alterTable(from).renameTo(to).execute();
  await rename("products", "products_away");
  for (const as of [null, site.people.student]) {
    for (const slug of pages) {
      const { status, main } = await site.read(`/courses/${slug}`, as);
      expect(status).toBe(200);
      expect(main).toContain("Coming Soon");
      expect(main).not.toMatch(/One-time payment|Enroll Now/);
      // Whoever has the page still open, with its button, is told that it did not work.
      const pressed = await site.ask(`/courses/${slug}`, { as, form: {} });
      expect(pressed.headers.get("location")).toBe(`/courses/${slug}`);
      expect(decodeURIComponent(pressed.headers.get("set-cookie") ?? "")).toContain(
        "Something went wrong. Please try again.",
      );
    }
    const { status, main } = await site.read("/courses", as);
    expect(status).toBe(200);
    expect(main).toContain("There is no course to show just now.");
  }
  await rename("products_away", "products");
  for (const slug of pages)
    expect((await site.read(`/courses/${slug}`)).main).toContain("Enroll Now - $");
  expect((await site.read("/courses")).main).toContain("Learn more");
});

test("COMING_SOON may name one of them", async () => {
  const site = await open({ COMING_SOON: calm });
  expect((await site.read(`/courses/${calm}`)).main).toContain("Coming Soon");
  expect((await site.read(`/courses/${blueDot}`)).main).toContain("Enroll Now - $197");
});

test("a page without its course says so in the log", { timeout: 120_000 }, async () => {
  const program = await startServing({ LOG_LEVEL: "warn", SAMPLE_CONTENT: "off" });
  const page = await fetch(`http://127.0.0.1:${program.port}/courses/${blueDot}`);
  expect(await page.text()).toContain("Coming Soon");
  await program.line(new RegExp(`"slug":"${blueDot}".*"a course page has no active course"`));
  await program.kill("SIGTERM");
});

describe("/courses and /courses/{slug}", () => {
  let site: TestSite;
  const read = async (path: string) => readable(await (await site.ask(path)).text());
  beforeAll(async () => {
    site = await startSite();
    opened.push(site);
  });

  test("without courses there is a calm sentence", async () => {
    const page = await read("/courses");
    expect(page).toContain("There is no course to show just now.");
    expect(page).toContain("More courses coming soon");
  });

  test("active courses, oldest first, and no others", async () => {
    const titles = ["The first", "The inactive", "The deleted", "The second"];
    for (const title of titles) {
      const slug = title.toLowerCase().replace(" ", "-");
      await createCourse(site.services, [], { slug, title });
    }
    const products = () => site.services.db.write.updateTable("products");
    await products().set({ active: false }).where("slug", "=", "the-inactive").execute();
    await products().set({ deletedAt: new Date() }).where("slug", "=", "the-deleted").execute();
    const titlesOf = (page: string) =>
      [...page.matchAll(/<h2[^>]*>(The [^<]*)<\/h2>/g)].map(([, title]) => title);
    await soon(async () =>
      expect(titlesOf(await read("/courses"))).toEqual(["The first", "The second"]),
    );
    const page = await read("/courses");
    expect(page).toMatch(/<a [^>]*href="\/courses\/the-first"[^>]*>Learn more</);
    expect(page).not.toContain("There is no course to show");
    expect((await site.ask("/courses/the-inactive")).status).toBe(404);
    expect((await site.ask("/courses/the-deleted")).status).toBe(404);
  });

  test("a course says what is in it, and nothing of what its lessons say", async () => {
    const course = await createCourse(site.services, [
      [
        { title: "Open at once", content: "secret-words" },
        { title: "Later", dripDay: 3 },
      ],
      [{ title: "Much later", dripDay: 12, prompts: [{ question: "secret?", placeholder: "" }] }],
      [],
    ]);
    const [, second] = course.modules;
    const gone = second?.lessons[0]?.id ?? "";
    const path = `/courses/${course.slug}`;
    const page = await read(path);
    const order = [
      "Module 1",
      "Open at once",
      "Later",
      "Day 3",
      "Module 2",
      "Much later",
      "Day 12",
    ];
    const places = [...order, "Module 3"].map((words) => page.indexOf(`>${words}<`));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(page).not.toMatch(/secret|Day 0/);

    const { db } = site.services;
    await db.write
      .updateTable("lessons")
      .set({ deletedAt: new Date() })
      .where("id", "=", gone)
      .execute();
    await soon(async () => expect(await read(path)).not.toContain("Much later"));
    await db.write
      .updateTable("modules")
      .set({ deletedAt: new Date() })
      .where("id", "=", second?.id ?? "")
      .execute();
    await soon(async () => expect(await read(path)).not.toContain("Module 2"));
  });

  test("a free course of the administrator's is free, with nothing of money on its page", async () => {
    const { slug } = await createCourse(site.services, [[{}]], { priceCents: 0 });
    const page = await read(`/courses/${slug}`);
    expect(page).toContain(">Free<");
    expect(page).not.toMatch(/\$0|One-time payment|money back/);
  });

  test("markup in a title is text", async () => {
    const title = '<script>alert(1)</script> & "quotes" <img src=x onerror=alert(1)>';
    const course = await createCourse(site.services, [[{ title }]], { title });
    const html = await (await site.ask(`/courses/${course.slug}`)).text();
    expect(html).not.toMatch(/<script>alert|<img src=x/);
    expect(readable(html)).toContain(`<img src=x onerror=alert(1)>`);
  });

  test("markup in a title cannot end the data for search engines", async () => {
    const title = "</script><script>alert(1)</script><!-- & \u2028";
    await createCourse(site.services, [], { title });
    await soon(async () => {
      const html = await (await site.ask("/courses")).text();
      expect(html).not.toContain("<script>alert");
      const data = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
      const names = data.map(([, json = ""]) => JSON.stringify(JSON.parse(json)));
      expect(names.join()).toContain(JSON.stringify(title).slice(1, -1));
    });
  });

  test("an odd slug leaves the sitemap well-formed", async () => {
    await createCourse(site.services, [], { slug: "a&b<c>'d" });
    const xml = await (await site.ask("/sitemap.xml")).text();
    expect(xml).toContain("/courses/a&amp;b%3Cc%3E&apos;d</loc>");
  });
});
