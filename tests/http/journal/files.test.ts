import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { endEnrollmentWithin } from "~/features/enrollments/enrollments.server.ts";
import { listDrafts, saveDraft } from "~/features/journal/drafts.server.ts";
import { findOutline, readPages } from "~/features/journal/entries.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { recordSent } from "~/platform/email/sent.ts";
import { temporaryFolder } from "../../support/config.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { lessonOf, prompts } from "../../support/journal.ts";
import { leave, said, write } from "../../support/journal-page.ts";
import { recordPayment } from "../../support/payments.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { startSite, type TestSite } from "../../support/site.ts";

let site: TestSite;
let student: Person;
let other: Person;
let course: TestCourse;

beforeAll(async () => {
  site = await startSite();
  other = await createPerson(site.services, { name: "Somebodyelse" });
});
afterAll(() => site.close());
beforeEach(async () => {
  student = await createPerson(site.services, { name: "Ada Ångström" });
  const two = { prompts: prompts(2) };
  course = await createCourse(site.services, [[two, two]], { title: "Her course" });
  await write(site.services, student, course, [[lessonOf(course, 0, 0), said("# *mine* 💙")]]);
  await leave(site.services, student, lessonOf(course, 0, 1), said("a draft of mine"));
});

test.each([
  ["the Markdown file", "/my-courses/journal.md.data", undefined],
  ["the export", "/account/export.data", {}],
])(
  "%s is for the browser: the router is sent on, and gets nothing of it",
  async (_, address, form) => {
    const answer = await site.ask(address, { as: student, form });
    expect(answer.status).toBe(202);
    const text = await answer.text();
    expect(text).toMatch(/"(SingleFetchR|r)edirect"/);
    expect(text).not.toContain("a draft of mine");
  },
);

describe("the Markdown file", () => {
  test("may be asked about without being taken, as often as one likes", async () => {
    const head = () => site.ask("/my-courses/journal.md", { as: student, method: "HEAD" });
    for (const answer of [await head(), await head(), await head()]) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    }
    const whole = await site.ask("/my-courses/journal.md", { as: student });
    expect([whole.status, await whole.text()]).toEqual([
      200,
      expect.stringContaining("Her course"),
    ]);
  });

  test("is a file in UTF-8 with everything, escaped", async () => {
    const answer = await site.ask("/my-courses/journal.md", { as: student });
    expect(answer.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="my-journal.md"');
    const text = await answer.text();
    for (const words of ["## Her course", "### Lesson 1.1", "\\# \\*mine\\* 💙", "Ada Ångström"])
      expect(text).toContain(words);
    expect(text).toMatch(/A draft from \w+ \d+, \d{4}, not sent:/);
  });
});

test("words that become an answer, or another draft, while a file is made are in it", async () => {
  const { services } = site;
  const { id: userId } = student;
  const [answered, open] = [lessonOf(course, 0, 0), lessonOf(course, 0, 1)];
  const long = "It rained again. ".repeat(5_000);
  const more = await createCourse(services, [[{ prompts: prompts(2) }]]);
  const [finished] = more.modules[0]?.lessons ?? [];
  if (!finished) throw new Error("the course has no lesson");
  await write(services, student, more, [[finished, said(long, long)]]);
  const beside = await leave(services, student, finished, said("", "kept from a later page"));
  const older = await leave(services, student, answered, said("goes on elsewhere"));
  const courses = await findOutline(services.db.read, userId);
  const drafts = courses.flatMap(({ lessons }) => lessons.flatMap((lesson) => lesson.drafts));
  expect(drafts.map(({ id }) => id)).toEqual(expect.arrayContaining([beside, older]));

  const [sent] = await listDrafts(services.db.read, userId, open.id);
  const asSent = sent ? [{ id: sent.id, revision: sent.revision }] : [];
  const completed = { answers: said("a draft of mine"), drafts: asSent };
  await completeLesson(services, { userId, lessonId: open.id, ...completed });
  await saveDraft(services, {
    ...{ userId, lessonId: answered.id, draftId: newId(), revision: 1 },
    ...{ answers: said("goes on elsewhere"), absorbed: [{ id: older, revision: 1 }] },
  });
  const form = { intent: "keep", target: `draft.${beside}`, version: "1" };
  expect((await site.ask("/my-courses/journal", { as: student, form })).status).toBe(303);

  let words = "";
  for await (const page of readPages(services, userId, courses)) words += JSON.stringify(page);
  for (const each of ["a draft of mine", "goes on elsewhere", "kept from a later page"])
    expect(words).toContain(each);
});

/** The files of a zip, read by another program than the one that made it. */
async function unzipped(answer: Response): Promise<Record<string, string>> {
  const folder = temporaryFolder();
  const file = path.join(folder, "all.zip");
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
  const script =
    "import json,sys,zipfile\nz=zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\nprint(json.dumps({n:z.read(n).decode('utf-8') for n in z.namelist()}))";
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
  declined_emails: "account.json letters",
  email_changes: "account.json newAddress",
  enrollments: "courses.json enrollments",
  factors: "account.json authenticatorApps",
  former_enrollments: "courses.json formerEnrollments",
  invitations: "emails.json invitations",
  journal_keys: "not: a key",
  drafts: "journal.json",
  module_completion_emails: "courses.json completedModules",
  outbox: "not: what is on its way, or went out a month ago at most; emails.json sent has it",
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
  uploads: "not: files that an administrator gives to lessons",
};

test("the export: each table that names a person has its place in it, or a reason", async () => {
  const { db, clock } = site.services;
  const tables = await db.read.introspection.getTables();
  const naming = tables.filter(({ columns }) =>
    columns.some(({ name }) =>
      /^(user|person|actor)_?id$|(?<!lesson_)email|address|_by$/i.test(name),
    ),
  );
  const names = naming.map(({ name }) => name);
  expect(names.filter((name) => !(name in exported))).toEqual([]);
  const suspended = { suspendedReason: "Asked for it", suspendedAt: null };
  await db.write.updateTable("profiles").set(suspended).where("id", "=", student.id).execute();
  await db.write
    .insertInto("auditEntries")
    .values({
      ...{ id: newId(), actorName: "Nora", action: "account.suspended", subjectKind: "account" },
      ...{ label: "", personId: student.id, details: "{}", createdAt: clock.now() },
    })
    .execute();
  const files = await unzipped(await site.ask("/account/export", { as: student, form: {} }));
  for (const place of Object.values(exported)) {
    const [file = "", key] = place.split(" ");
    if (file === "not:") continue;
    expect(Object.keys(files)).toContain(file);
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

describe("the export", () => {
  const ask = (as: { id: string } | null = student) =>
    site.ask("/account/export", { as, form: {} });

  test("is a zip with everything of hers, and nothing of anybody else", async () => {
    const { services } = site;
    const { db, clock } = services;
    const former = await createCourse(services, [[{}]], { title: "A course she left" });
    await write(services, student, former, []);
    const seat = await db.read
      .selectFrom("enrollments")
      .select("id")
      .where("productId", "=", former.id)
      .executeTakeFirstOrThrow();
    await db.transaction((trx) =>
      endEnrollmentWithin(trx, seat.id, { removedBy: other.id, now: clock.now() }),
    );
    await recordPayment(services, { userId: student.id, productId: course.id });
    const letter = {
      id: newId(),
      address: student.email,
      subject: "A letter to her",
      at: clock.now(),
    };
    await recordSent(db.write, { kind: "accounts.welcome", userId: null }, [letter]);
    const kept = {
      userId: student.id,
      lessonId: lessonOf(course, 0, 0).id,
      kind: "audio" as const,
    };
    await db.write
      .insertInto("playbackPositions")
      .values({ ...kept, key: "x/y.mp3", positionMs: 61_000, updatedAt: clock.now() })
      .execute();
    await write(services, other, course, [[lessonOf(course, 0, 0), said("words of another")]]);

    const own = { userId: student.id, createdAt: clock.now() };
    await db.write
      .insertInto("factors")
      // Not verified: her session would owe it.
      .values({
        ...own,
        id: newId(),
        factorType: "totp",
        friendlyName: "My phone",
        status: "unverified",
        secret: "secret-of-the-app",
      })
      .execute();
    await db.write
      .insertInto("backupCodes")
      .values({ ...own, id: newId(), codeHash: "hash-of-a-code" })
      .execute();
    await db.write
      .insertInto("passkeys")
      .values({
        ...own,
        id: newId(),
        name: "My laptop",
        publicKey: "key-of-the-laptop",
        credentialId: newId(),
        counter: 0,
        deviceType: "singleDevice",
        backedUp: false,
      })
      .execute();

    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-disposition")).toMatch(
      /^attachment; filename="everything-about-me-\d{4}-\d\d-\d\d\.zip"$/,
    );
    const files = await unzipped(answer);
    expect(Object.keys(files)).toEqual([
      "README.txt",
      "my-journal.md",
      "account.json",
      "courses.json",
      "journal.json",
      "payments.json",
      "emails.json",
    ]);
    for (const name of Object.keys(files))
      expect(files["README.txt"] ?? name).toContain(
        name === "README.txt" ? "What this site" : name,
      );
    const json = (name: string) => JSON.parse(files[name] ?? "null");
    expect(json("account.json")).toMatchObject({
      profile: { name: "Ada Ångström", email: student.email },
      letters: { "lesson-opened": true },
      authenticatorApps: [{ friendlyName: "My phone", factorType: "totp" }],
      backupCodes: [{ usedAt: null }],
      passkeys: [{ name: "My laptop" }],
    });
    expect(json("account.json").sessions).toHaveLength(1);
    expect(json("courses.json")).toMatchObject({
      enrollments: [{ course: "Her course" }],
      formerEnrollments: [{ course: "A course she left", reason: null }],
      completedLessons: [{ lesson: "Lesson 1.1" }],
      playbackPlaces: [{ positionMs: 61_000 }],
    });
    expect(files["journal.json"]).toContain("# *mine* 💙");
    expect(files["journal.json"]).toContain("a draft of mine");
    expect(files["my-journal.md"]).toContain("\\# \\*mine\\*");
    expect(json("payments.json")).toMatchObject([{ amountCents: 19_700, currency: "usd" }]);
    // The letter about her place may have gone out meanwhile.
    const listed = expect.objectContaining({ subject: "A letter to her" });
    expect(json("emails.json").sent).toContainEqual(listed);
    const everything = Object.values(files).join("\n");
    for (const secret of [
      "words of another",
      other.id,
      "Somebodyelse",
      '"token"',
      "wrappedKey",
      "secret-of-the-app",
      "hash-of-a-code",
      "key-of-the-laptop",
      'password"',
    ])
      expect(everything).not.toContain(secret);
    const tokens = await db.read.selectFrom("sessions").select("token").execute();
    for (const { token } of tokens) expect(everything).not.toContain(token);
  });

  test("has no address that a link could ask, and none for another site's page", async () => {
    const asked = await site.ask("/account/export", { as: student });
    expect(asked.status).toBe(405);
    expect(asked.headers.get("allow")).toBe("POST");
    const foreign = { as: student, form: {}, origin: "https://evil.example" };
    expect((await site.ask("/account/export", foreign)).status).toBe(403);
  });

  test("is made five times an hour, each person by herself", async () => {
    for (let count = 0; count < 5; count++) {
      const made = await ask();
      expect(made.status).toBe(200);
      await made.arrayBuffer();
    }
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain("Please try again in an hour.");
    expect((await ask(other)).status).toBe(200);
    site.clock.forward(3_601_000);
    expect((await ask()).status).toBe(200);
  });
});
