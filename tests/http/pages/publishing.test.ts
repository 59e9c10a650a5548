import { sql } from "kysely";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { pageMessages } from "~/features/pages/messages.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse } from "../../support/courses.ts";
import { firstPage, site as firstSite } from "../../support/first-edition.ts";
import { elements, headOf } from "../../support/head.ts";
import { patient } from "../../support/patient.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { publicPages } from "../../support/public-pages.ts";
import { readable, toastOf } from "../../support/responses.ts";
import { siteOfFile, startSite } from "../../support/site.ts";

const site = siteOfFile({ SAMPLE_CONTENT: "on" });
let coach: Person;
beforeAll(async () => {
  coach = await createPerson(site.services, { role: "admin", name: "Nora" });
  coach.cookie = await site.cookieOf(coach);
});
afterEach(async () => {
  for (const table of ["pageDrafts", "pages", "versions", "releases"] as const)
    await site.services.db.write.deleteFrom(table).execute();
  // An admin's change: what is in memory is looked at before it is answered.
  await site.ask("/admin/pages/home/draft", { as: coach, form: {} });
});

type Draft = { draftId?: string; revision?: number; absorbed?: object[]; value: unknown };

const save = (page: string, field: string, draft: Draft, as = coach) =>
  site.ask(`/admin/pages/${page}/draft`, {
    ...{ as, method: "PUT" },
    json: { userId: as.id, draftId: newId(), revision: 1, absorbed: [], field, ...draft },
  });

const text = async (path: string, as: Person | null = null) =>
  (await site.ask(path, { as })).text();

/** What the page for publishing would send. */
async function shownBy(page: string): Promise<string> {
  const html = await text(`/admin/pages/${page}/publish`, coach);
  return elements(html, "input").find(({ name }) => name === "shown")?.value ?? "";
}

async function publish(page: string, shown?: string) {
  const form = { shown: shown ?? (await shownBy(page)) };
  return site.ask(`/admin/pages/${page}/publish`, { as: coach, form });
}

async function write(page: string, field: string, value: unknown) {
  expect((await save(page, field, { value })).status).toBe(204);
  const answer = await publish(page);
  expect(toastOf(answer)?.title).toBe("Published");
}

describe("a draft of a page", () => {
  test("is seen by an admin who edits the page, and by nobody else", async () => {
    const student = await createPerson(site.services);
    expect((await save("about", "heading", { value: "My brother's name" })).status).toBe(204);
    expect(await text("/about?edit", coach)).toContain("My brother’s name");
    for (const [path, as] of [
      ["/about", null],
      ["/about?edit", null],
      ["/about?edit", student],
      ["/about", coach],
    ] as const)
      expect(await text(path, as), path).not.toContain("My brother’s name");
  });

  test("changes nothing for visitors: no bytes, and no database is asked", async () => {
    const before = await text("/coaching");
    await save("coaching", "lead", { value: "Something else." });
    expect(await text("/coaching")).toBe(before);
    for (const word of ["pencil", "?edit", "page-edit", "draft"])
      expect(before).not.toContain(word);
    // A site that has none of the tables any more, and nothing in its cache.
    const other = await startSite();
    for (const table of ["page_drafts", "pages", "versions"])
      await sql.raw(`drop table ${table}`).execute(other.services.db.write);
    // It has neither the course nor the issue that the list names.
    const isThere = ({ path, pattern }: (typeof publicPages)[number]) =>
      path !== "/courses/letters" && !/^\/newsletter\/(archive\/)?:/.test(pattern);
    for (const { path, status = 200 } of publicPages.filter(isThere))
      expect((await other.ask(path)).status, path).toBe(status);
    await other.close();
  });

  test("is never written over by another editor, nor by a late save of the same one", async () => {
    const [mine, other] = [newId(), newId()];
    await save("about", "lead", { draftId: mine, revision: 2, value: "two" });
    expect((await save("about", "lead", { draftId: mine, revision: 1, value: "one" })).status).toBe(
      204,
    );
    expect((await save("about", "lead", { draftId: other, value: "theirs" })).status).toBe(409);
    const seen = { id: mine, revision: 1 };
    const late = await save("about", "lead", { draftId: other, absorbed: [seen], value: "theirs" });
    expect(late.status).toBe(409);
    expect(await text("/admin/pages/about?field=lead", coach)).toContain("two");
    const known = [{ id: mine, revision: 2 }];
    expect(
      (await save("about", "lead", { draftId: other, absorbed: known, value: "both" })).status,
    ).toBe(204);
    expect(await text("/admin/pages/about?field=lead", coach)).toContain("both");
    // Another place of the same page is nobody's business.
    expect((await save("about", "heading", { value: "A heading" })).status).toBe(204);
  });

  test.each([
    ["no place of the page", "headline", "x", 404],
    ["a list in the place of a text", "heading", [{ title: "x" }], 400],
    ["a text in the place of a list", "beliefs", "x", 400],
    ["parts that no item has", "beliefs", [{ name: "x" }], 400],
    ["more than fits", "heading", "x".repeat(200_001), 400],
    ["too many items", "beliefs", Array.from({ length: 101 }, () => ({})), 400],
  ])("is refused: %s", async (_, field, value, status) => {
    expect((await save("about", field, { value })).status).toBe(status);
  });

  test("without scripts: is saved by a form, and one from elsewhere is not written over", async () => {
    const path = "/admin/pages/about?field=heading";
    const first = await site.ask(path, { as: coach, form: { value: "One", seen: "" } });
    expect(toastOf(first)?.title).toBe("Draft saved");
    const refused = await site.ask(path, { as: coach, form: { value: "Two", seen: "" } });
    expect(refused.status).toBe(409);
    const html = await refused.text();
    expect(html).toContain("changed elsewhere");
    expect(elements(html, "input").find(({ name }) => name === "value")?.value).toBe("Two");
    const [seen] = elements(html, "input").filter(({ name }) => name === "seen");
    const again = await site.ask(path, {
      as: coach,
      form: { value: "Two", seen: seen?.value ?? "" },
    });
    expect(toastOf(again)?.title).toBe("Draft saved");
  });
});

describe("POST /admin/pages/:id/publish", () => {
  test("is public at once, everywhere where it is said, and the drafts are gone", async () => {
    const before = await site.ask("/about");
    await save("about", "title", { value: "About Nora" });
    await save("about", "text", {
      value: "He was **born** in {brand}.\n\n[Write](mailto:a@b.example)",
    });
    await publish("about");
    const after = await site.ask("/about");
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
    const html = await after.text();
    expect(html).toContain("<p>He was <strong>born</strong> in Blue Dot.</p>");
    expect(headOf(html).titles).toEqual(["About Nora | Blue Dot"]);
    expect(html).toContain('"name":"About Nora"');
    const { db } = site.services;
    expect(await db.read.selectFrom("pageDrafts").selectAll().execute()).toEqual([]);
    const versions = await db.read.selectFrom("versions").selectAll().execute();
    expect(versions).toMatchObject([{ subject: "page:about", number: 1, authorId: coach.id }]);
    const audited = await db.read.selectFrom("auditEntries").select(["action", "label"]).execute();
    expect(audited).toContainEqual({ action: "page.published", label: "About" });
  });

  test("of the names: reaches every page, structured data, emails and the manifest", async () => {
    await save("site", "name", { value: "Red <Dot>" });
    await save("site", "coachName", { value: "Ruth & Co" });
    await save("site", "email", { value: "ruth@example.org" });
    await publish("site");
    const html = await text("/terms");
    expect(html).toContain("I am Ruth &amp; Co, and I run Red &lt;Dot&gt;.");
    expect(html).toContain('<a href="mailto:ruth@example.org" rel="noopener noreferrer">');
    expect(headOf(html).titles).toEqual(["Terms of service | Red <Dot>"]);
    expect(await text("/")).toContain('"name":"Ruth & Co"');
    expect(JSON.parse(await text("/site.webmanifest"))).toMatchObject({ name: "Red <Dot>" });
    expect(await text("/.well-known/security.txt")).toContain("mailto:ruth@example.org");
    expect(await text("/auth/forgot")).toContain("A new password | Red &lt;Dot&gt;");
  });

  test("draws the share picture of the new words, and of every page when the name changes", async () => {
    const { db } = site.services;
    const pictureOf = async (path: string) => headOf(await text(path)).meta("og:image")[0] ?? "";
    expect(await pictureOf("/coaching")).toMatch(/\/share\/coaching\.png$/);
    await write("coaching", "shareTitle", "An hour for {brand}");
    const drawn = async (path: string) =>
      vi.waitFor(async () => {
        const address = await pictureOf(path);
        expect(address).toMatch(/\/pictures\/[0-9a-f]{32}-card\.png$/);
        return address;
      }, patient);
    const first = await drawn("/coaching");
    const file = await site.ask(new URL(first).pathname);
    expect([file.status, file.headers.get("content-type")]).toEqual([200, "image/png"]);
    const html = await text("/coaching");
    expect(headOf(html).meta("og:image:alt")[0]).toMatch(/^“An hour for Blue\u00a0Dot”, beside/);
    await write("site", "name", "Red Dot");
    for (const path of ["/", "/about", "/courses/blue-dot-method", "/help"]) await drawn(path);
    await vi.waitFor(async () => expect(await pictureOf("/coaching")).not.toBe(first), patient);
    await db.write.deleteFrom("shareCards").execute();
  });

  test("at a time: becomes a release of the page, and nothing is public before", async () => {
    const path = "/admin/pages/about/publish";
    const { db } = site.services;
    const time = new Date(Date.now() + 48 * 3600_000).toISOString().slice(0, 16);
    const draftId = newId();
    await save("about", "heading", { draftId, value: "Sooner" });
    const shown = await shownBy("about");
    await save("about", "heading", { draftId, revision: 2, value: "Later" });
    const schedule = (form: object) =>
      site.ask(path, { as: coach, form: { intent: "schedule", at: time, ...form } });
    for (const form of [{ shown: await shownBy("about"), at: "2020-01-01T08:00" }, { shown }, {}]) {
      const refused = await schedule(form);
      expect([refused.headers.get("location"), toastOf(refused)?.title]).toEqual([path, "Error"]);
    }
    expect(await db.read.selectFrom("releases").selectAll().execute()).toEqual([]);
    const answer = await schedule({ shown: await shownBy("about") });
    expect(answer.headers.get("location")).toMatch(/^\/admin\/releases\/[\da-f-]{36}$/);
    expect(toastOf(answer)?.title).toBe("Scheduled");
    const release = await text(answer.headers.get("location") ?? "", coach);
    expect(release).toMatch(/<ins>Later<\/ins>/);
    expect(await text("/about")).not.toContain("Later");
  });

  test("of another page: says that words of every page wait too", async () => {
    await save("site", "footerTitle", { value: "Stay near" });
    const page = await text("/admin/pages/about/publish", coach);
    expect(page).toContain(pageMessages.nothingToPublish);
    expect(page).toContain('href="/admin/pages/site/publish"');
    expect(await text("/admin/pages/site/publish", coach)).not.toContain(pageMessages.siteDrafted);
    await publish("site");
    expect(await text("/admin/pages/about/publish", coach)).not.toContain(
      "/admin/pages/site/publish",
    );
  });

  test("publishes nothing where the page or a draft has changed since it was shown", async () => {
    await save("about", "heading", { draftId: newId(), value: "One" });
    const shown = await shownBy("about");
    await save("about", "lead", { value: "Two" });
    const answer = await publish("about", shown);
    expect(toastOf(answer)).toMatchObject({ description: expect.stringContaining("have changed") });
    expect(await text("/about")).not.toContain("One</");
    await publish("about");
    await save("about", "heading", { value: "Three" });
    const again = await publish("about", shown);
    expect(toastOf(again)?.title).toBe("Error");
    expect(await text("/about")).not.toContain("Three");
  });

  test.each<[string, string, unknown, string]>([
    ["home", "heading", "", "Please write something here."],
    ["home", "heading", "x".repeat(121), "This is 1 character too long for its place."],
    ["home", "text", "![](picture:1)", "A picture has no description."],
    ["home", "text", "I am {couch}.", "{couch} stands for nothing."],
    ["home", "text", "TODO: write", "“TODO” looks like something that was still to be written."],
    ["home", "text", "[Read](/no-such-page)", "There is no page at /no-such-page on this site."],
    ["coaching", "application", "apply here", "This is not an address like https://"],
    ["coaching", "application", "javascript:alert(1)", "This is not an address like https://"],
    ["site", "email", "nora at home", "This is not an email address"],
    ["site", "timeZone", "Mars/Olympus", "This is not a place of the time zones"],
    ["site", "socialHandle", "nora", "This is not a name like @name."],
    ["about", "beliefs", [{ title: "One", text: "Two" }], "There are at least 4 here"],
    [
      "home",
      "testimonials",
      [{ quote: "", who: "Ruth" }],
      "Testimonial 1, What they said: Please write",
    ],
  ])("of %s, %s %j: is not possible, and says so", async (page, field, value, problem) => {
    await save(page, field, { value });
    expect(await text(`/admin/pages/${page}/publish`, coach)).toContain(problem);
    expect(toastOf(await publish(page))).toMatchObject({ description: /need another look/ });
  });

  test("takes links to pages and courses that are there", async () => {
    const { slug } = await createCourse(site.services, [[{}]]);
    const links = ["/about", "/help", "/courses/blue-dot-method", `/courses/${slug}`, "/coaching/"];
    await write("home", "text", links.map((link) => `[here](${link}#x)`).join(" "));
  });
});

test("POST /admin/pages/:id/publish: a place that nobody touched can stand in the way too", async () => {
  const { id, slug } = await createCourse(site.services, [[{}]]);
  await write("home", "text", `[here](/courses/${slug})`);
  await site.services.db.write
    .updateTable("products")
    .set({ deletedAt: new Date() })
    .where("id", "=", id)
    .execute();
  await save("home", "heading", { value: "A heading" });
  expect(toastOf(await publish("home"))).toMatchObject({ description: /need another look/ });
  expect(await text("/admin/pages/home/publish", coach)).toContain("There is no page at /courses/");
});

describe("the history of a page", () => {
  test("lists versions, compares them, and brings one back with one press", async () => {
    await write("terms", "heading", "Rules of the house");
    await write("terms", "heading", "Rules of the garden");
    const history = readable(await text("/admin/pages/terms/history", coach));
    expect(history).toContain("Version 2");
    expect(history).toContain("Nora");
    const compared = await text("/admin/pages/terms/history?version=1", coach);
    expect(compared).toMatch(/<del>garden<\/del>/);
    expect(compared).toMatch(/<ins>house<\/ins>/);
    const bring = (number: string, current: string) =>
      site.ask("/admin/pages/terms/history", { as: coach, form: { number, current } });
    expect(toastOf(await bring("1", "1"))?.title).toBe("Error");
    expect(toastOf(await bring("1", "2"))?.title).toBe("Published again as it was");
    expect(await text("/terms")).toContain("Rules of the house");
    expect(toastOf(await bring("0", "3"))?.title).toBe("Published again as it was");
    expect(await text("/terms")).toContain((await firstPage("terms")).heading);
  });
});

describe("a damaged version", () => {
  test("gives way to the last good one, and no page fails", async () => {
    await write("about", "heading", "The good one");
    await write("about", "heading", "The bad one");
    const { db } = site.services;
    for (const content of ["{", "[]", '{"heading":"x"}', "null"]) {
      await db.write.updateTable("versions").set({ content }).where("number", "=", 2).execute();
      await site.services.content.refresh();
      await db.write
        .updateTable("contentVersion")
        .set({ version: Date.now() % 1e9 })
        .execute();
      await site.ask("/admin/pages/home/draft", { as: coach, form: {} });
      const answer = await site.ask("/about");
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain("The good one");
      expect(await text("/admin", coach)).toContain("/admin/pages/about/history");
    }
    await db.write.deleteFrom("versions").where("number", "=", 1).execute();
    await site.services.content.refresh();
    expect(site.services.content.page("about").heading).toBe((await firstPage("about")).heading);
  });
});

test("a version that could be published stays public when a rule for writing is stricter now", async () => {
  await write("about", "heading", "Of an older rule");
  const { db, content } = site.services;
  const [stored] = await db.read.selectFrom("versions").selectAll().execute();
  const written = { ...JSON.parse(stored?.content ?? "{}"), heading: "x".repeat(500) };
  await db.write
    .updateTable("versions")
    .set({ content: JSON.stringify(written) })
    .execute();
  await content.refresh();
  expect([content.page("about").heading, content.damaged]).toEqual(["Of an older rule", []]);
});

describe("the page of a course", () => {
  test("is made of the course, until the coach writes one, and keeps its address when renamed", async () => {
    const course = await createCourse(site.services, [[{ title: "The kettle" }]], {
      title: "Mornings",
    });
    const path = `/courses/${course.slug}`;
    expect(await text(path)).not.toContain("closing-title");
    const prefilled = await text(`${path}?edit`, coach);
    expect(prefilled).toContain("closing-title");
    expect(prefilled).toContain("The kettle");
    await save(`course:${course.id}`, "for", { value: "For whoever is **awake**." });
    await publish(`course:${course.id}`);
    expect(await text(path)).toContain("<p>For whoever is <strong>awake</strong>.</p>");
    await site.services.db.write
      .updateTable("products")
      .set({ slug: `${course.slug}-now` })
      .where("id", "=", course.id)
      .execute();
    await site.ask("/admin/pages/home/draft", { as: coach, form: {} });
    expect(await text(`${path}-now`)).toContain("awake");
  });
});

test("POST /admin/pages/:id/preview: shows a place as visitors would see it, and what is wrong", async () => {
  const ask = async (page: string, field: string, value: unknown) => {
    const answer = await site.ask(`/admin/pages/${page}/preview`, {
      as: coach,
      json: { field, value },
    });
    return answer.json();
  };
  expect(await ask("home", "heading", "It's {coach}")).toEqual({
    shown: `It’s ${firstSite.coachName}`,
    problems: {},
  });
  expect(await ask("home", "text", "# A\n\n<b>b</b> [c](javascript:x)")).toEqual({
    shown: '<p><strong>A</strong></p>\n<p>b <a rel="noopener noreferrer">c</a></p>',
    problems: {},
  });
  expect(await ask("home", "testimonials", [{ quote: "a", who: "" }])).toEqual({
    shown: [{ quote: "a", who: "" }],
    problems: { "0.who": "Please write something here." },
  });
});
