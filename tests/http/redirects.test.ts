import { afterEach, describe, expect, test } from "vitest";
import { updateCourse } from "~/features/courses/courses.server.ts";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { removeRedirect, saveRedirect } from "~/features/redirects/redirects.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse } from "../support/courses.ts";
import { createPerson } from "../support/people.ts";
import { toastOf } from "../support/responses.ts";
import { siteOfFile } from "../support/site.ts";

const site = siteOfFile();
const browser = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0" };

afterEach(async () => {
  await site.misses.flush();
  for (const table of ["redirects", "lostPages"] as const)
    await site.services.db.write.deleteFrom(table).execute();
});

/** Opens a page as a browser does. @returns the status, and where it leads */
async function open(path: string, asking: Parameters<typeof site.ask>[1] = {}) {
  const answer = await site.ask(path, {
    ...asking,
    headers: { ...browser, ...asking.headers },
  });
  const body = await answer.text();
  const location = answer.headers.get("location");
  return { status: answer.status, location, body, headers: answer.headers };
}

const leads = (location: string) => ({ status: 301, location });

/** A course that was renamed, with somebody who studies it. */
async function renamedCourse() {
  const { services } = site;
  const { id, slug, modules } = await createCourse(services, [[{}]]);
  const student = await createPerson(services);
  await enroll(services, { userId: student.id, productId: id });
  const now = `now-${newId()}`;
  const fields = { title: "Water", slug: now, description: null, priceCents: 0 };
  await updateCourse(services, { id, revision: 1, ...fields });
  return { id, old: `/courses/${slug}`, now: `/courses/${now}`, student, modules };
}

async function lost() {
  await site.misses.flush();
  const rows = await site.services.db.read
    .selectFrom("lostPages")
    .select(["path", "requests"])
    .orderBy("path")
    .execute();
  return rows.map(({ path, requests }) => [path, requests]);
}

describe("a renamed course", () => {
  test("is found at its old address, by everybody, with the query, and never from a cache", async () => {
    const { old, now, student } = await renamedCourse();
    for (const as of [null, student]) {
      expect(await open(old, { as })).toMatchObject(leads(now));
      const asked = await open(`${old}?a=b&c=d`, { as });
      expect(asked).toMatchObject(leads(`${now}?a=b&c=d`));
      expect(asked.headers.get("cache-control")).toMatch(/private, no-/);
    }
    expect(await open(old, { method: "HEAD" })).toMatchObject(leads(now));
    expect(await open(`${old}/`)).toMatchObject({ status: 308, location: old });
    expect((await open(now)).status).toBe(200);
    const data = await open(`${old}.data`);
    expect(data.status).toBe(202);
    expect(data.body).toContain(now);
  });

  test("takes along its lessons and what lies below", async () => {
    const { old, now, student: as, modules } = await renamedCourse();
    const lesson = `?lesson=${modules[0]?.lessons[0]?.slug}`;
    for (const page of ["/learn", "/learn/worksheet", "/learn/workbook", "/learn/media"])
      expect([page, await open(`${old}${page}${lesson}`, { as })]).toMatchObject([
        page,
        leads(`${now}${page}${lesson}`),
      ]);
    expect(await open(`${old}/learn/file${lesson}&file=x`, { as })).toMatchObject(
      leads(`${now}/learn/file${lesson}&file=x`),
    );
    const page = await open(`${now}/learn${lesson}`, { as });
    expect(page.status).toBe(200);
    const anonymous = await open(`${old}/learn`);
    expect(anonymous).toMatchObject({ status: 302, location: `/auth?redirect=${old}/learn` });
  });

  test("gives way to another course at its old address", async () => {
    const { old } = await renamedCourse();
    await createCourse(site.services, [], { slug: old.replace("/courses/", "") });
    expect((await open(old)).status).toBe(200);
  });

  test("a form in the admin: says that old links go on working, and makes them", async () => {
    const admin = await createPerson(site.services, { role: "admin" });
    const { id, slug } = await createCourse(site.services, []);
    const page = await open(`/admin/courses/${id}`, { as: admin });
    expect(page.body).toContain("the old address leads to the new one");
    const now = `now-${newId()}`;
    const form = { intent: "save", slug: now, title: "One", price: "1", revision: "1" };
    expect((await open(`/admin/courses/${id}`, { as: admin, form })).status).toBe(303);
    expect(await open(`/courses/${slug}`)).toMatchObject(leads(`/courses/${now}`));
    const audit = await open("/admin/audit", { as: admin });
    expect(audit.body).toContain(`/courses/${slug} → /courses/${now}`);
  });
});

describe("an old address", () => {
  test("leads elsewhere without the query, and in any spelling, until it is removed", async () => {
    const { services } = site;
    await saveRedirect(services, {
      id: null,
      fromPath: "/old.html",
      target: "https://other.example/form?a=1",
    });
    for (const path of ["/old.html", "/OLD.html", "/old.html?mail=ada"])
      expect(await open(path)).toMatchObject(leads("https://other.example/form?a=1"));
    expect((await open("/old.html", { form: {} })).status).toBe(404);
    const { id } = await services.db.read
      .selectFrom("redirects")
      .select("id")
      .executeTakeFirstOrThrow();
    await removeRedirect(services, id);
    expect((await open("/old.html")).status).toBe(404);
  });

  test("is not asked about for a page that exists", async () => {
    const { services } = site;
    await saveRedirect(services, { id: null, fromPath: "/about", target: "/help" });
    await services.db.write.schema.alterTable("redirects").renameTo("redirects_away").execute();
    const course = await createCourse(services, []);
    for (const path of ["/about", "/", `/courses/${course.slug}`])
      expect([path, (await open(path)).status]).toEqual([path, 200]);
    await services.db.write.schema.alterTable("redirects_away").renameTo("redirects").execute();
  });

  test("counts people who follow it", async () => {
    const { services } = site;
    const { old } = await renamedCourse();
    await saveRedirect(services, { id: null, fromPath: "/old", target: "/about" });
    for (const path of ["/old", "/old?a=1", old]) await open(path);
    await open("/old", { headers: { "user-agent": "Googlebot/2.1" } });
    await open("/old", { method: "HEAD" });
    await site.misses.flush();
    const rows = await services.db.read
      .selectFrom("redirects")
      .select(["fromPath", "hits"])
      .execute();
    expect(new Map(rows.map(({ fromPath, hits }) => [fromPath, hits]))).toEqual(
      new Map([
        ["/old", 2],
        [old, 1],
      ]),
    );
  });
});

describe("lost pages", () => {
  test("are counted by address alone", async () => {
    const student = await createPerson(site.services);
    await open("/Old-Leaflet?mail=ada@example.com", {
      headers: { referer: "https://forum.example/ada", "x-forwarded-for": "203.0.113.77" },
    });
    await open("/old-leaflet", { as: student });
    await open("/courses/none");
    await open("/courses/none/learn", { as: student });
    expect(await lost()).toEqual([
      ["/courses/none", 1],
      ["/courses/none/learn", 1],
      ["/old-leaflet", 2],
    ]);
    const rows = await site.services.db.read.selectFrom("lostPages").selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/ada|forum|203\.0/);
  });

  test("leave out programs, what is loaded in advance, forms, the coach, and what is no page", async () => {
    const admin = await createPerson(site.services, { role: "admin" });
    const { slug } = await createCourse(site.services, []);
    await open("/none", { headers: { "user-agent": "curl/8.5.0" } });
    await open("/none", { headers: { "sec-purpose": "prefetch" } });
    await open("/none", { method: "HEAD" });
    await open("/none", { form: {} });
    await open("/none", { as: admin });
    for (const path of ["/404", "/%zz", "/wp-login.php", "/.env", "/favicon-16.png", "/api/none"])
      await open(path);
    for (const path of ["/invitation?token=x", `/courses/${slug}/learn?lesson=none`, "/about"])
      await open(path, { as: await createPerson(site.services) });
    expect(await lost()).toEqual([]);
  });
});

describe("POST /admin/redirects/new", () => {
  const save = async (form: Record<string, string>, id = "new") => {
    const as = await createPerson(site.services, { role: "admin" });
    const fields = { from: "/old", page: "", other: "", ...form };
    const answer = await site.ask(`/admin/redirects/${id}`, { as, form: fields });
    return {
      status: answer.status,
      body: await answer.text(),
      toast: toastOf(answer)?.description,
    };
  };

  test.each([
    [{ page: "/about" }, "/old now leads to /about."],
    [{ page: "-", other: "/coaching/" }, "/old now leads to /coaching."],
    [{ other: "https://other.example/A" }, "/old now leads to https://other.example/A."],
    [{ from: "old.PHP", page: "/" }, "/old.php now leads to /."],
    [{ from: "/courses/none", page: "/courses" }, "/courses/none now leads to /courses."],
  ])("saves %j", async (form, toast) => {
    expect(await save(form)).toMatchObject({ status: 303, toast });
  });

  test.each([
    [{ from: "", page: "/" }, "Type the old address"],
    [{ from: "https://other.example/x", page: "/" }, "The old address is one of this site"],
    [{ from: "//other.example/x", page: "/" }, "This is no address of this site"],
    [{ from: "/old?a=1", page: "/" }, "Leave out what follows"],
    [{ from: "/admin/old", page: "/" }, "Addresses under /admin belong to the site itself."],
    [{ from: "/uploads", page: "/" }, "Addresses under /uploads belong"],
    [{ from: "/about", page: "/" }, "There is a page at this address"],
    [{ from: "/About/", page: "/help" }, "There is a page at this address"],
    [{ from: "/", page: "/help" }, "There is a page at this address"],
    [{ page: "-" }, "Choose a page, or type another address."],
    [{ other: "/none" }, "There is no page at /none."],
    [{ other: "/courses/none" }, "There is no page at /courses/none."],
    [{ other: "/old" }, "There is no page at /old."],
    [{ other: "/404" }, "There is no page at /404."],
    [{ other: "/admin/courses" }, "Addresses under /admin belong"],
    [{ other: "http://other.example/" }, "Type a path of this site"],
    [{ other: "javascript:alert(1)" }, "Type a path of this site"],
  ])("refuses %j", async (form, message) => {
    const { status, body } = await save(form);
    expect({ status, body: body.includes(message) }).toEqual({ status: 400, body: true });
  });

  test("knows the courses, and what leads on already", async () => {
    const { slug } = await createCourse(site.services, []);
    const course = `/courses/${slug}`;
    expect((await save({ from: course, page: "/" })).body).toContain("There is a page at this");
    expect((await save({ from: `${course}/learn`, page: "/" })).body).toContain("There is a page");
    expect((await save({ page: course })).status).toBe(303);
    expect((await save({ page: course })).status).toBe(303);
    const taken = await save({ page: "/about" });
    expect(taken.body).toContain(`This address leads to ${course} already.`);
  });

  test("refuses the 1,001st, but not the renaming of a course", async () => {
    const rows = Array.from({ length: 1000 }, (_, n) => ({
      ...{ id: newId(), fromPath: `/many-${n}`, target: "/about", createdAt: new Date() },
    }));
    await site.services.db.write.insertInto("redirects").values(rows).execute();
    expect((await save({ page: "/about" })).body).toContain("There are 1,000 already");
    const { old, now } = await renamedCourse();
    expect(await open(old)).toMatchObject(leads(now));
  });
});

test("GET /admin/redirects: says what is not used, and what leads to nothing", async () => {
  const { services } = site;
  const as = await createPerson(services, { role: "admin" });
  const { id, now } = await renamedCourse();
  await saveRedirect(services, { id: null, fromPath: "/about", target: "/help" });
  const both = async () => {
    const { body } = await open("/admin/redirects", { as });
    return [
      body.includes("Not used: there is a page"),
      body.includes("The page that it leads to is gone"),
    ];
  };
  expect(await both()).toEqual([true, false]);
  await services.db.write
    .updateTable("products")
    .set({ deletedAt: new Date() })
    .where("id", "=", id)
    .execute();
  expect(await both()).toEqual([true, true]);
  expect((await open(now)).status).toBe(404);
});
