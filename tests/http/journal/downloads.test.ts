import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { listDraftRows } from "~/features/drafts/drafts.server.ts";
import { endEnrollmentWithin } from "~/features/enrollments/enrollments.server.ts";
import { saveDraft } from "~/features/journal/drafts.server.ts";
import { findOutline, readPages } from "~/features/journal/entries.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { recordSent } from "~/platform/email/sent.ts";
import { temporaryFolder } from "../../support/config.ts";
import { createCourse } from "../../support/courses.ts";
import { lessonOf, prompts } from "../../support/journal.ts";
import { leave, said, write } from "../../support/journal-page.ts";
import { learningSite } from "../../support/learning-site.ts";
import { recordPayment } from "../../support/payments.ts";
import { createPerson } from "../../support/people.ts";
import { sendPhotograph } from "../../support/photographs.ts";

const two = { prompts: prompts(2) };
const kit = learningSite([[two, two]], { title: "The course" });
beforeEach(async () => {
  await kit.site.services.db.write
    .updateTable("profiles")
    .set({ name: "Ada Ångström" })
    .where("id", "=", kit.student.id)
    .execute();
  await kit.write([kit.lesson(), said("# *mine* 💙")]);
  await kit.leave(said("a draft of mine"), kit.lesson(0, 1));
});

const ask = (address: string, more: { method?: string; form?: Record<string, string> } = {}) =>
  kit.site.ask(address, { as: kit.student, ...more });

test.each([
  ["the Markdown file", "/my-courses/journal.md.data", {}],
  ["the export", "/account/export.data", { form: {} }],
])(
  "%s is for the browser: the router is redirected, and gets nothing of it",
  async (_, address, more) => {
    const response = await ask(address, more);
    expect(response.status).toBe(202);
    const text = await response.text();
    expect(text).toMatch(/"(SingleFetchR|r)edirect"/);
    expect(text).not.toContain("a draft of mine");
  },
);

test("GET /my-courses/journal.md: a file in UTF-8 with everything, escaped", async () => {
  const response = await ask("/my-courses/journal.md");
  expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  expect(response.headers.get("content-disposition")).toBe('attachment; filename="my-journal.md"');
  const text = await response.text();
  for (const each of ["## The course", "### Lesson 1.1", "\\# \\*mine\\* 💙", "Ada Ångström"])
    expect(text).toContain(each);
  expect(text).toMatch(/A draft from \w+ \d+, \d{4} UTC, not sent:/);
});

test("HEAD /my-courses/journal.md: holds no place, however often it is asked", async () => {
  for (let times = 0; times < 3; times += 1) {
    const response = await ask("/my-courses/journal.md", { method: "HEAD" });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  }
  const whole = await ask("/my-courses/journal.md");
  expect(await whole.text()).toContain("The course");
});

test("text that becomes an answer, or another draft, while a file is made is in it", async () => {
  const { services } = kit.site;
  const { id: userId } = kit.student;
  const [answered, open] = [kit.lesson(0, 0), kit.lesson(0, 1)];
  const long = "It rained again. ".repeat(5_000);
  const more = await createCourse(services, [[two]]);
  const finished = lessonOf(more, 0, 0);
  await write(services, kit.student, more, [[finished, said(long, long)]]);
  const beside = await kit.leave(said("", "kept from a later page"), finished);
  const older = await kit.leave(said("goes on elsewhere"), answered);
  const courses = await findOutline(services.db.read, userId);
  const drafts = courses.flatMap(({ lessons }) => lessons.flatMap((lesson) => lesson.drafts));
  expect(drafts.map(({ id }) => id)).toEqual(expect.arrayContaining([beside, older]));

  const sent = (
    await listDraftRows(services.db.read, { kind: "journal", userId, lessonId: open.id })
  ).map(({ id }) => id);
  await completeLesson(services, {
    ...{ userId, lessonId: open.id, answers: said("a draft of mine") },
    drafts: sent.map((id) => ({ id, revision: 1 })),
  });
  await saveDraft(services, {
    ...{ userId, lessonId: answered.id, draftId: newId(), revision: 1 },
    ...{ answers: said("goes on elsewhere"), absorbed: [{ id: older, revision: 1 }] },
  });
  const form = { intent: "keep", target: `draft.${beside}`, version: "1" };
  expect((await ask("/my-courses/journal", { form })).status).toBe(303);

  let text = "";
  for await (const page of readPages(services, userId, courses)) text += JSON.stringify(page);
  for (const each of ["a draft of mine", "goes on elsewhere", "kept from a later page"])
    expect(text).toContain(each);
});

/** The files of a zip, read by another program than the one that made it. */
async function unzipped(answer: Response): Promise<Record<string, string>> {
  const folder = temporaryFolder();
  const file = path.join(folder, "all.zip");
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
  const script =
    "import json,sys,zipfile\nz=zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\nprint(json.dumps({n:z.read(n).decode('utf-8','replace') for n in z.namelist()}))";
  const printed = execFileSync("python3", ["-c", script, file], {
    encoding: "utf8",
    maxBuffer: 1e8,
  });
  return JSON.parse(printed) as Record<string, string>;
}

/** Every table that names a person, and where the export has it; else why it has not. */
const exported: Record<string, string> = {
  accounts: "account.json waysToSignIn",
  announced_lessons: "not: lessons that the emails of emails.json have named",
  audit_entries: "account.json doneByAdministrators",
  care_requests: "account.json writeToMeIfQuiet",
  declined_emails: "account.json emailPreferences",
  email_changes: "account.json newAddress",
  enrollments: "courses.json enrollments",
  factors: "account.json authenticatorApps",
  former_enrollments: "courses.json formerEnrollments",
  invitations: "emails.json invitations",
  journal_keys: "not: a key",
  journal_pictures: "photographs/ID.webp",
  lesson_views: "courses.json openedLessons",
  drafts: "journal.json",
  mail_reports: "emails.json cameBack",
  module_completion_emails: "courses.json completedModules",
  outbox: "not: what is on its way, or went out a month ago at most; emails.json sent has it",
  page_drafts: "not: what an administrator wrote for a page of the site",
  passkeys: "account.json passkeys",
  payments: "payments.json",
  people_numbers: "not: numbers in the index of names",
  people_words: "not: the words of name and address",
  playback_positions: "courses.json playbackPlaces",
  profiles: "account.json profile",
  progress: "courses.json completedLessons",
  backup_codes: "account.json backupCodes",
  sent_emails: "emails.json sent",
  sessions: "account.json sessions",
  subscribers: "emails.json newsletter",
  pictures: "not: of lessons, pages and emails, uploaded by administrators",
  subscriber_import_rows: "not: of a file that an administrator uploaded, gone after a day",
  suppressions: "emails.json getsNoEmail",
  uploads: "not: files that an administrator gives to lessons",
};

test("the export: each table that names a person has its place in it, or a reason", async () => {
  const { db, clock } = kit.site.services;
  const tables = await db.read.introspection.getTables();
  const naming = tables.filter(({ columns }) =>
    columns.some(({ name }) =>
      /^(user|person|actor)_?id$|(?<!lesson_)email|address|_by$/i.test(name),
    ),
  );
  const names = naming.map(({ name }) => name);
  expect(names.filter((name) => !(name in exported))).toEqual([]);
  const suspended = { suspendedReason: "Asked for it", suspendedAt: null };
  await db.write.updateTable("profiles").set(suspended).where("id", "=", kit.student.id).execute();
  await db.write
    .insertInto("auditEntries")
    .values({
      ...{ id: newId(), actorName: "Nora", action: "account.suspended", subjectKind: "account" },
      ...{ label: "", personId: kit.student.id, details: "{}", createdAt: clock.now() },
    })
    .execute();
  const sent = await sendPhotograph(kit.site, kit.student, kit.lesson());
  const { id: photograph } = (await sent.json()) as { id: string };
  const files = await unzipped(await ask("/account/export", { form: {} }));
  for (const place of Object.values(exported)) {
    const [file = "", key] = place.split(" ");
    if (file === "not:") continue;
    expect(Object.keys(files)).toContain(file.replace("ID", photograph));
    if (key) expect(JSON.parse(files[file] ?? "{}"), file).toHaveProperty(key);
  }
  expect(JSON.parse(files["account.json"] ?? "{}")).toMatchObject({
    profile: { suspendedReason: "Asked for it" },
    doneByAdministrators: [{ action: "account.suspended" }],
  });
  expect(files["account.json"]).not.toContain("Nora");
  const [, about = ""] = /(emails\.json[\s\S]*)/.exec(files["README.txt"] ?? "") ?? [];
  expect(about).toContain("invitations to your address");
});

describe("POST /account/export", () => {
  test("is a zip with everything of the student, and nothing of anybody else", async () => {
    const { services } = kit.site;
    const { db, clock } = services;
    const { id: userId, email } = kit.student;
    const now = clock.now();
    const other = await createPerson(services, { name: "Somebodyelse" });
    const former = await createCourse(services, [[{}]], { title: "A former course" });
    await write(services, kit.student, former, []);
    const { id: enrollmentId } = await db.read
      .selectFrom("enrollments")
      .select("id")
      .where("productId", "=", former.id)
      .executeTakeFirstOrThrow();
    await db.transaction((trx) =>
      endEnrollmentWithin(trx, enrollmentId, { removedBy: other.id, now }),
    );
    await recordPayment(services, { userId, productId: kit.course.id });
    await recordSent(db.write, { kind: "accounts.welcome", userId: null }, [
      { id: newId(), address: email, subject: "An email to Ada", at: now },
    ]);
    const place = { userId, lessonId: kit.lesson().id, kind: "audio" as const };
    await db.write
      .insertInto("playbackPositions")
      .values({ ...place, key: "x/y.mp3", positionMs: 61_000, updatedAt: now })
      .execute();
    await write(services, other, kit.course, [[kit.lesson(), said("text of another")]]);
    await leave(services, other, kit.lesson(0, 1), said("text of another"));
    const own = () => ({ userId, createdAt: now, id: newId() });
    await db.write
      .insertInto("factors")
      // Not verified: the session would owe it.
      .values({
        ...{ ...own(), factorType: "totp", friendlyName: "My phone", status: "unverified" },
        secret: "secret-of-the-app",
      })
      .execute();
    await db.write
      .insertInto("backupCodes")
      .values({ ...own(), codeHash: "hash-of-a-code" })
      .execute();
    await db.write
      .insertInto("passkeys")
      .values({
        ...{ ...own(), name: "My laptop", publicKey: "key-of-the-laptop", credentialId: newId() },
        ...{ counter: 0, deviceType: "singleDevice", backedUp: false },
      })
      .execute();

    const response = await ask("/account/export", { form: {} });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-disposition")).toMatch(
      /^attachment; filename="everything-about-me-\d{4}-\d\d-\d\d\.zip"$/,
    );
    const files = await unzipped(response);
    const names = ["my-journal.md", "account.json", "courses.json", "journal.json"];
    names.push("payments.json", "emails.json");
    expect(Object.keys(files)).toEqual(["README.txt", ...names]);
    for (const name of names) expect(files["README.txt"]).toContain(name);
    const json = (name: string) => JSON.parse(files[name] ?? "null");
    expect(json("account.json")).toMatchObject({
      profile: { name: "Ada Ångström", email },
      emailPreferences: { "lesson-opened": true },
      authenticatorApps: [{ friendlyName: "My phone", factorType: "totp" }],
      backupCodes: [{ usedAt: null }],
      passkeys: [{ name: "My laptop" }],
    });
    expect(json("account.json").sessions).toHaveLength(1);
    expect(json("courses.json")).toMatchObject({
      enrollments: [{ course: "The course" }],
      formerEnrollments: [{ course: "A former course", reason: null }],
      completedLessons: [{ lesson: "Lesson 1.1" }],
      playbackPlaces: [{ positionMs: 61_000 }],
    });
    for (const text of ["# *mine* 💙", "a draft of mine"])
      expect(files["journal.json"]).toContain(text);
    expect(files["my-journal.md"]).toContain("\\# \\*mine\\*");
    expect(json("payments.json")).toMatchObject([{ amountCents: 19_700, currency: "usd" }]);
    // The welcome email may have gone out meanwhile.
    const listed = expect.objectContaining({ subject: "An email to Ada" });
    expect(json("emails.json").sent).toContainEqual(listed);
    const everything = Object.values(files).join("\n");
    const tokens = await db.read.selectFrom("sessions").select("token").execute();
    for (const secret of [
      ...["text of another", other.id, "Somebodyelse", '"token"', "wrappedKey", 'password"'],
      ...["secret-of-the-app", "hash-of-a-code", "key-of-the-laptop"],
      ...tokens.map(({ token }) => token),
    ])
      expect(everything).not.toContain(secret);
  });

  test("has no address for a link, and none for another site's page", async () => {
    const asked = await ask("/account/export");
    expect(asked.status).toBe(405);
    expect(asked.headers.get("allow")).toBe("POST");
    const foreign = { as: kit.student, form: {}, origin: "https://evil.example" };
    expect((await kit.site.ask("/account/export", foreign)).status).toBe(403);
  });

  test("is made five times an hour, for each user apart", async () => {
    const exportFor = (as: { id: string }) => kit.site.ask("/account/export", { as, form: {} });
    for (let count = 0; count < 5; count++) {
      const made = await exportFor(kit.student);
      expect(made.status).toBe(200);
      await made.arrayBuffer();
    }
    const refused = await exportFor(kit.student);
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain("Please try again in an hour.");
    expect((await exportFor(await createPerson(kit.site.services))).status).toBe(200);
    kit.site.clock.forward(3_601_000);
    expect((await exportFor(kit.student)).status).toBe(200);
  });
});
