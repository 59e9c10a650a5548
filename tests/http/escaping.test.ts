import { beforeAll, describe, expect, test } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { inviteStudent } from "~/features/enrollments/invitations.server.ts";
import { moduleCompletedEmail } from "~/features/lesson-emails/jobs.server.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { newAddress } from "../support/accounts.ts";
import { createCourse, type TestCourse } from "../support/courses.ts";
import { emailTo, type ReceivedEmail } from "../support/mailbox.ts";
import { partsOf } from "../support/mime-parts.ts";
import { signUp } from "../support/newsletter.ts";
import { publishIssue } from "../support/newsletter-issues.ts";
import { createPerson, type Person } from "../support/people.ts";
import { decode } from "../support/responses.ts";
import { siteOfFile } from "../support/site.ts";
import { lineAttacks, marked } from "../support/xss.ts";

const site = siteOfFile();
let admin: Person;
let student: Person;
let course: TestCourse;

const breaks = "\u2028\u2029\r\n";
const title = `</script><script>xss()</script><!--<script>${breaks}"'&lt;`;

beforeAll(async () => {
  const { services } = site;
  admin = await createPerson(services, { role: "admin", name: title });
  student = await createPerson(services, { name: title });
  const prompts = [{ question: title, placeholder: title }];
  const lessons = [{ slug: "one", title, content: title, prompts }];
  course = await createCourse(services, [lessons], { title });
  const { write } = services.db;
  await write.updateTable("modules").set({ title }).execute();
  await write.updateTable("products").set({ description: title }).execute();
  await publishIssue(services, { slug: "one", subject: title, preview: title });
  await enroll(services, { userId: student.id, productId: course.id });
});

const moduleId = () => course.modules[0]?.id ?? "";
const lessonId = () => course.modules[0]?.lessons[0]?.id ?? "";

describe("in a page", () => {
  const addresses: [string, () => string, () => Person | null][] = [
    ["the courses", () => "/courses", () => null],
    ["a course", () => `/courses/${course.slug}`, () => null],
    ["a course to a student", () => `/courses/${course.slug}`, () => student],
    ["the newsletter's archive", () => "/newsletter/archive", () => null],
    ["an issue of the newsletter", () => "/newsletter/one", () => null],
    ["her courses", () => "/my-courses", () => student],
    ["a lesson", () => `/courses/${course.slug}/learn`, () => student],
    ["the admin area", () => "/admin", () => admin],
    ["a course in the admin area", () => `/admin/courses/${course.id}`, () => admin],
    ["a module in the admin area", () => `/admin/modules/${moduleId()}`, () => admin],
    ["a lesson in the admin area", () => `/admin/lessons/${lessonId()}`, () => admin],
    ["a student in the admin area", () => `/admin/students/${student.id}`, () => admin],
    ["a search", () => `/admin?q=${encodeURIComponent(title)}`, () => admin],
  ];

  test.each(addresses)("%s: no title ends a script, none begins one", async (_, path, as) => {
    const response = await site.ask(path(), { as: as() });
    expect(response.status).toBe(200);
    const html = await response.text();
    expect(html).toContain("xss()");
    const scripts = [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/gi)];
    expect(scripts.length).toBeGreaterThan(0);
    const policy = response.headers.get("content-security-policy") ?? "";
    const [, nonce = "none"] = /'nonce-([^']+)'/.exec(policy) ?? [];
    for (const [, attributes = "", text = ""] of scripts) {
      // Neither ends the element early, nor hides its end (HTML, 4.12.1.3), nor ends a string.
      expect(text).not.toMatch(/<!--|<script|\u2028|\u2029/i);
      if (!text.includes("xss()")) continue;
      const isData = attributes.includes('type="application/ld+json"');
      expect(isData || attributes.includes(`nonce="${nonce}"`), attributes).toBe(true);
      if (isData) expect(JSON.stringify(JSON.parse(text))).toContain("xss()");
    }
    // Outside of scripts, every < of the title is an entity.
    const rest = html.replaceAll(/<script[^>]*>[\s\S]*?<\/script>/gi, "");
    expect(rest).not.toMatch(/<script|<[^<>]*\son[a-z]+\s*=\s*["']?xss/i);
  });

  test("its data for scripts is of a type that no browser shows as a page", async () => {
    for (const [, path, as] of addresses) {
      const [address = "", query = ""] = path().split("?");
      const response = await site.ask(`${address}.data?${query}`, { as: as() });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toMatch(/^text\/x-script(;|$)/);
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  test("answers in JSON, captions and lists are of types that no browser shows as a page", async () => {
    const vtt = `WEBVTT\n\n00:00.000 --> 00:01.000\n${title}\n`;
    const { write } = site.services.db;
    await write.updateTable("lessons").set({ videoCaptions: vtt }).execute();
    const json = /^application\/json(;|$)/;
    const captions = /^text\/vtt;/;
    for (const [path, as, type] of [
      [`/admin/students/search?q=xss`, admin, json],
      [`/admin/lessons/${lessonId()}/media`, admin, json],
      [`/admin/lessons/${lessonId()}/captions`, admin, captions],
      [`/courses/${course.slug}/learn/media?lesson=one`, student, json],
      [`/courses/${course.slug}/learn/captions?lesson=one`, student, captions],
      [`/api/none/<script>xss()</script>`, null, json],
      ["/admin/export/courses", admin, /^text\/csv;/],
    ] as const) {
      const response = await site.ask(path, { as });
      expect(response.headers.get("content-type"), path).toMatch(type);
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      await response.text();
    }
  });

  test("files that are handed out have names of the site's own", async () => {
    for (const [path, name] of [
      [`/admin/lessons/${lessonId()}/captions`, "captions.vtt"],
      ["/admin/export/courses?q=%22;x=%22.html", "courses-\\d{4}-\\d\\d-\\d\\d.csv"],
    ]) {
      const { headers } = await site.ask(path ?? "", { as: admin });
      expect(headers.get("content-disposition")).toMatch(
        new RegExp(`^attachment; filename="${name}"$`),
      );
    }
  });
});

describe("in an email", () => {
  const html = ({ source }: ReceivedEmail) =>
    partsOf(source).find((part) => /^content-type: text\/html/im.test(part)) ?? "";

  /** Names and titles stand in it to the letter, and as nothing but text. */
  function expectText(message: ReceivedEmail, ...words: string[]) {
    const page = html(message);
    const text = decode(page.replaceAll(/<[^>]*>/g, "")).replaceAll(/\s+/g, " ");
    for (const one of words) expect(text).toContain(one.replaceAll(/\s+/g, " ").trim());
    expect(page).not.toMatch(/<(script|img|svg|iframe|form|base|object|input)|<[^<>]*\son\w+=/i);
    expect(
      [...page.matchAll(/href="([^"]*)"/g)].map(([, href]) => new URL(href ?? "").protocol),
    ).toEqual(expect.arrayContaining(["http:"]));
    expect(page).not.toMatch(/href="(?!https?:|mailto:|tel:|sms:)/i);
  }

  /** Nothing of a subject or a name has become a header or another receiver. */
  function expectHeaders({ source }: ReceivedEmail, address: string) {
    const [head = ""] = source.split("\r\n\r\n");
    const names = head.split("\r\n").flatMap((line) => /^([\w-]+):/.exec(line)?.[1] ?? []);
    expect(names.map((name) => name.toLowerCase())).not.toContain("bcc");
    expect(new Set(names).size).toBe(names.length);
    expect(head.match(/[\w.+-]+@[\w.-]+/g)?.filter((one) => one === address)).toHaveLength(1);
  }

  test.each(lineAttacks.map((attack, at) => marked(attack, at)).filter((_, at) => at % 6 === 0))(
    "an invitation, to %j",
    async (attack) => {
      const email = newAddress();
      const name = attack.slice(0, 100);
      const { id } = await createCourse(site.services, [], { title: attack });
      const asked = { email, name, productId: id, invitedBy: admin.id };
      await inviteStudent(site.services, asked);
      const message = await emailTo(site.services.config, email);
      expectText(message, name, attack);
      expectHeaders(message, email);
    },
  );

  test("a module completed; a name that brings headers and receivers of its own", async () => {
    const words = `<img src=x onerror=xss()>\r\nBcc: eve@example.com\r\n\r\n<script>xss()</script>`;
    const name = `${words}, "Eve" <eve@example.com>`;
    const person = await createPerson(site.services, { name });
    const made = await createCourse(site.services, [[{}]], { title: words });
    const id = made.modules[0]?.id ?? "";
    const { write } = site.services.db;
    await write.updateTable("modules").set({ title: words }).where("id", "=", id).execute();
    // The first email is that of welcome; both are what is asked about.
    await enroll(site.services, { userId: person.id, productId: made.id });
    const message = { userId: person.id, moduleId: id };
    await enqueue(write, moduleCompletedEmail, message, { now: site.clock.now() });
    site.services.wakeWorker();
    for (const count of [1, 2]) {
      const sent = await emailTo(site.services.config, person.email, count);
      expectText(sent, "Hello,", words);
      expectHeaders(sent, person.email);
      expect(sent.subject).toContain("<img src=x onerror=xss()>");
    }
  });

  test("a confirmation, to someone who signs up", async () => {
    const email = newAddress();
    const name = "</title><script>xss()</script>";
    const fields = { name, email, password: "Correct-horse-9" };
    await site.ask("/auth?mode=sign-up", { form: fields });
    const message = await emailTo(site.services.config, email);
    // Only what looks like a name is greeted.
    expectText(message, "Hello,");
    expect(message.source).not.toContain("xss");
    expectHeaders(message, email);
  });

  test("a confirmation of the newsletter", async () => {
    const email = newAddress();
    const firstName = '"><svg/onload=xss()>';
    await signUp(site, { email, firstName });
    const message = await emailTo(site.services.config, email);
    // Only what looks like a name is greeted.
    expectText(message);
    expect(message.source).not.toContain("onload");
    expectHeaders(message, email);
  });
});
