import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "~/platform/db/ids.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { writeFailed } from "../../support/email-log.ts";
import { recordPayment } from "../../support/payments.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { readable } from "../../support/responses.ts";
import { siteOfFile, startSite, type TestSite } from "../../support/site.ts";

const site = siteOfFile({ LOG_LEVEL: "silent" });
let course: TestCourse;
let admin: Person;
let ada: Person;
beforeAll(async () => {
  const { services } = site;
  course = await createCourse(services, [[{}]], { title: "Slow mornings" });
  admin = await createPerson(services, { role: "admin", name: "Nora" });
  ada = await createPerson(services, { name: "Ada Lovelace" });
});

const open = async (path: string, of: TestSite = site, as = admin) => {
  const answer = await of.ask(path, { as });
  expect(answer.status).toBe(200);
  return (await answer.text()).replaceAll("<!-- -->", "");
};

test("the admin area names its places, and the ways out of it, on each page", async () => {
  const lesson = course.modules[0]?.lessons[0]?.id;
  for (const path of ["/admin", "/admin/courses", "/admin/settings", `/admin/lessons/${lesson}`]) {
    const text = await open(path);
    for (const [href, label] of [
      ["/admin", "Overview"],
      ["/admin/courses", "Courses"],
      ["/admin/modules", "Modules"],
      ["/admin/lessons", "Lessons"],
      ["/admin/students", "Students"],
      ["/admin/enrollments", "Enrollments"],
      ["/admin/payments", "Payments"],
      ["/admin/mail", "Email"],
      ["/admin/newsletter", "Newsletter"],
      ["/admin/settings", "Settings"],
      ["/admin/audit", "Audit log"],
    ])
      expect(text).toMatch(new RegExp(`href="${href}"[^>]*><span>${label}</span>`));
    expect(text).toMatch(/href="\/"[^>]*>To the site</);
    expect(text).toMatch(/href="\/account"[^>]*>Account</);
    expect(text).toMatch(/action="\/auth\/sign-out"/);
  }
});

test("GET /admin: help numbers need the coach when they were checked over 180 days ago", async () => {
  const own = await startSite({ LOG_LEVEL: "silent" });
  try {
    const coach = await createPerson(own.services, { role: "admin" });
    const says = async () => {
      const [, needs = ""] =
        /Needs you<(.*?)<\/section>/s.exec(await open("/admin", own, coach)) ?? [];
      return needs;
    };
    expect(await says()).not.toContain("Help numbers");
    own.clock.forwardDays(181);
    const later = await says();
    expect(later).toMatch(/Help numbers of \d+ countries were last checked over 180 days ago/);
    expect(later).toMatch(/<a[^>]* href="\/admin\/help"[^>]*>Look at them/);
  } finally {
    await own.close();
  }
});

test("GET /admin/lessons/:id, and of a new one: lead back to the module and its course", async () => {
  const [module] = course.modules;
  const lesson = module?.lessons[0];
  for (const path of [
    `/admin/lessons/${lesson?.id}`,
    `/admin/lessons/new?id=${newId()}&module=${module?.id}`,
  ]) {
    const [, crumbs = ""] = /aria-label="Breadcrumb"(.*?)<\/nav>/.exec(await open(path)) ?? [];
    expect(crumbs).toContain('<a href="/admin/courses">Courses</a>');
    expect(crumbs).toContain(`<a href="/admin/courses/${course.id}">Slow mornings</a>`);
    expect(crumbs).toContain(`<a href="/admin/modules/${module?.id}">Module 1</a>`);
  }
});

describe("GET /admin", () => {
  test("names what needs the coach, what is unfinished and who is new, each with a link", async () => {
    expect(readable(await open("/admin"))).not.toContain("not sent<");
    const before = await site.ask("/admin/overview", { as: admin });
    expect([before.status, before.headers.get("location")]).toEqual([302, "/admin"]);
    const paid = { userId: ada.id, productId: course.id, attention: "already_enrolled" };
    const payment = await recordPayment(site.services, paid);
    await writeFailed(site.services);
    const lessonId = newId();
    const fields = { title: "The coat on the hook", moduleId: course.modules[0]?.id };
    const draft = { userId: admin.id, draftId: newId(), baseRevision: 0, revision: 1, fields };
    await site.ask(`/admin/lessons/${lessonId}/draft`, { as: admin, method: "PUT", json: draft });
    const text = await open("/admin");
    expect(text).toContain(`href="/admin/payments/${payment}"`);
    expect(readable(text)).toMatch(/One email was (not sent|refused)/);
    expect(readable(text)).toContain("no mail server is set up");
    expect(readable(text)).toContain("The coat on the hook");
    expect(text).toContain(`/admin/lessons/new?id=${lessonId}`);
    expect(text).toContain(`<a href="/admin/students/${ada.id}">Ada Lovelace</a>`);
    expect(text).not.toContain(`/admin/students/${admin.id}`);
  });
});

describe("GET /admin/newsletter", () => {
  test("counts who is on the list and who has not confirmed, and exports the first", async () => {
    const list = "/admin/newsletter/subscribers";
    expect(await open(list)).not.toContain("Export as CSV");
    const now = site.clock.now();
    const subscribe = (name: string, status: "confirmed" | "pending" | "unsubscribed") =>
      site.services.db.write
        .insertInto("subscribers")
        .values({
          ...{ id: newId(), email: `${name}@example.com`, emailKey: `${name}@example.com` },
          ...{ firstName: name, status, generation: 1, emailTimes: "[]" },
          ...{ askedAt: now, createdAt: now, confirmedAt: status === "pending" ? null : now },
        })
        .execute();
    for (const name of ["zoe", "bea", "ida"]) await subscribe(name, "confirmed");
    for (const name of ["may", "tom"]) await subscribe(name, "pending");
    await subscribe("gone", "unsubscribed");
    const text = readable(await open("/admin/newsletter"));
    expect(text).toMatch(/The list is on this site.*Confirmed<.*>3<.*Waiting<.*>2</);
    expect(await open(list)).toContain("Export as CSV");
    const [head, ...lines] = (await open("/admin/export/subscribers")).trim().split("\r\n");
    expect(head).toMatch(/first_name,email,confirmed_at,from,consent,unsubscribe_url$/);
    expect(lines.map((line) => line.split(",")[0])).toEqual(["bea", "ida", "zoe"]);
    expect(lines[0]).toContain("/newsletter/unsubscribe?token=");
  });
});

describe("GET /admin/settings", () => {
  test("says how the site is connected: nothing, or Stripe, a mail server and a provider", async () => {
    const bare = readable(await open("/admin/settings"));
    expect(bare).toContain(`You are signed in as ${admin.email}`);
    expect(bare).toContain("Stripe is not connected");
    expect(bare).toContain("No mail server is set up");
    expect(bare).toContain("The list of subscribers is on this site");
    const connected = await startSite({
      ...{ STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_1" },
      ...{ SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "coach@example.com" },
      NEWSLETTER_FORM_URL: "https://forms.example/7",
    });
    try {
      const as = await createPerson(connected.services, { role: "admin" });
      const text = readable(await open("/admin/settings", connected, as));
      expect(text).toContain("Stripe is connected in test mode");
      expect(text).toContain("sent through your mail server");
      expect(text).toContain("New signups go to your newsletter provider");
      const list = readable(await open("/admin/newsletter", connected, as));
      expect(list).toContain("New signups go to your newsletter provider (forms.example).");
    } finally {
      await connected.close();
    }
  });
});
