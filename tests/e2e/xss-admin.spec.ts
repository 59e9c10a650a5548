import type { Page } from "@playwright/test";
import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import { saveCourse, saveModule } from "~/features/courses/course-forms.server.ts";
import { updateLesson } from "~/features/lesson-editor/lessons.server.ts";
import { saveTranscript, versionOf } from "~/features/lesson-media/captions.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { writeIssue } from "../support/issue-sending.ts";
import { createImport, createSubscriber } from "../support/newsletter.ts";
import { recordPayment } from "../support/payments.ts";
import type { Person } from "../support/people.ts";
import { adminPages } from "../support/route-table.ts";
import { attacks } from "../support/xss.ts";
import { field, openAdmin, preview, proceed, save, text } from "./support/lessons.ts";
import { mediaPart } from "./support/media.ts";
import { hydrated } from "./support/player.ts";
import type { RunningSite } from "./support/site.ts";
import { expect, test, toast } from "./support/test.ts";
import { watchForAttacks } from "./support/xss-detector.ts";
import { expectHarmless, visit } from "./support/xss-plants.ts";
import { createAttackedWorld } from "./support/xss-world.ts";

/** What each page of the admin area says of what people have written. */
const shows: Record<string, string[]> = {
  "/admin": ["course title", "student name", "unsaved title"],
  "/admin/courses": ["course title"],
  "/admin/newsletter": ["issue subject"],
  "/admin/newsletter/issues/:id": ["issue subject", "issue text"],
  "/admin/newsletter/issues/:id/send": ["issue subject"],
  "/admin/newsletter/issues/:id/history": ["issue subject"],
  "/admin/settings": [],
  "/admin/administrators": [],
  "/admin/audit": ["done to", "done by", "student name"],
  "/admin/courses/new": [],
  "/admin/courses/deleted": ["course title", "deleted module", "deleted lesson"],
  "/admin/courses/:id": ["course title", "course description", "module title", "lesson title"],
  "/admin/courses/:id/progress": ["course title", "lesson title"],
  "/admin/courses/:id/history": ["course title"],
  "/admin/visits": [],
  "/admin/ready": ["course title"],
  "/admin/help": [],
  "/admin/modules": ["module title", "course title"],
  "/admin/modules/new": ["course title"],
  "/admin/modules/:id": ["module title", "lesson title", "course title"],
  "/admin/lessons": ["lesson title", "module title", "course title", "unsaved title"],
  "/admin/lessons/new": ["module title"],
  "/admin/lessons/:id/history": ["lesson title", "module title", "course title"],
  "/admin/lessons/:id": ["lesson title", "lesson text", "question", "placeholder", "file name"],
  "/admin/enrollments": ["student name", "course title", "payment"],
  "/admin/enrollments/new": ["course title"],
  "/admin/enrollments/invite": ["invited name", "invited email", "course title"],
  "/admin/enrollments/:id": ["student name", "email", "course title", "payment"],
  "/admin/payments": ["student name", "course title"],
  "/admin/payments/:id": ["student name", "course title", "payment id"],
  "/admin/course-emails": ["course title", "note subject"],
  "/admin/mail": ["student name", "email"],
  "/admin/mail/suppressed": [],
  "/admin/pages": ["course title"],
  "/admin/pages/:id": ["course title"],
  "/admin/pages/:id/publish": ["course title"],
  "/admin/pages/:id/history": ["course title"],
  "/admin/releases": [],
  "/admin/releases/:id": ["course title"],
  "/admin/redirects": [],
  "/admin/redirects/lost": [],
  "/admin/redirects/:id": [],
  "/admin/newsletter/subscribers": ["subscriber name"],
  "/admin/newsletter/subscribers/new": [],
  "/admin/newsletter/subscribers/:id": ["subscriber name", "consent"],
  "/admin/newsletter/import": ["file of subscribers"],
  "/admin/newsletter/import/:id": ["file of subscribers"],
  "/admin/students": ["student name", "email"],
  "/admin/students/:id": ["student name", "email", "course title", "lesson title", "mail subject"],
};

type World = Awaited<ReturnType<typeof createAttackedWorld>>;

/** An attacked site, whose coach is signed in on the page. */
async function openAttacked(site: RunningSite, device: (how: { as: Person }) => Promise<Page>) {
  const world = await createAttackedWorld(site);
  const page = await device({ as: world.coach });
  const detector = await watchForAttacks(page.context(), site.url);
  return { ...world, page, seen: { page, plants: world.plants, detector } };
}

/** One of each record that has a page of its own. @returns their ids, by the part of the address before them */
async function plantRecords(
  { services }: RunningSite,
  { plants, coach, course, lessons, media, reader, students }: World,
): Promise<Record<string, string>> {
  const enrollment = await services.db.read
    .selectFrom("enrollments")
    .select("id")
    .where("userId", "=", students[2].id)
    .executeTakeFirstOrThrow();
  const payment = await recordPayment(services, {
    ...{ userId: students[2].id, productId: course.id, attention: "already_enrolled" },
    paymentIntentId: plants.one("payment id"),
  });
  const actor = { id: coach.id, name: plants.one("done by", 100) };
  await recordAudit(
    services.db.write,
    { clock: services.clock, actor },
    {
      action: "course.updated",
      id: course.id,
      label: plants.one("done to", 120),
      personId: reader.id,
    },
  );
  const release = newId();
  const now = services.clock.now();
  await services.db.write
    .insertInto("releases")
    .values({ id: release, title: "Spring", state: "open", createdAt: now, updatedAt: now })
    .execute();
  const subscriber = await createSubscriber(services, "planted@example.com", {
    firstName: plants.one("subscriber name"),
    consent: plants.one("consent"),
  });
  const issue = await writeIssue(services, {
    subject: plants.one("issue subject", 200),
    body: plants.one("issue text"),
  });
  return {
    courses: course.id,
    modules: lessons[0].moduleId,
    lessons: media.heard.id,
    enrollments: enrollment.id,
    payments: payment,
    students: reader.id,
    pages: `course:${course.id}`,
    redirects: "new",
    releases: release,
    issues: issue,
    subscribers: subscriber,
    import: await createImport(services, plants.one("file of subscribers", 120)),
  };
}

test("pages of the admin area: nothing of what people have written runs", async ({
  site,
  device,
}) => {
  const world = await openAttacked(site, device);
  const { plants, course, lessons, reader, page, seen } = world;
  const ids = await plantRecords(site, world);

  await test.step("every page", async () => {
    expect(Object.keys(shows).sort()).toEqual([...adminPages].sort());
    for (const pattern of adminPages) {
      const noun = pattern.split("/:id")[0]?.split("/").at(-1) ?? "";
      await visit(seen, pattern.replace(":id", ids[noun] ?? ""), shows[pattern] ?? []);
      await hydrated(page);
    }
  });

  await test.step("titles of pages", async () => {
    for (const [address, kind] of [
      [`/admin/courses/${course.id}`, "course title"],
      [`/admin/modules/${lessons[0].moduleId}`, "module title"],
      [`/admin/students/${reader.id}`, "student name"],
    ] as const) {
      await page.goto(address);
      const title = await page.title();
      expect(plants.of(kind).filter((one) => title.startsWith(one))).toHaveLength(1);
    }
  });
});

test("lists, questions and searches of the admin area: nothing of what people have written runs", async ({
  site,
  device,
}) => {
  const { plants, course, other, lessons, media, students, page, seen } = await openAttacked(
    site,
    device,
  );
  const [first, , , fourth] = lessons;

  await test.step("further pages, searches, questions before deleting", async () => {
    for (const [address, ...fields] of [
      [`/admin?delete=${course.id}`, "course title"],
      [`/admin/courses/${course.id}?delete=1`, "course title"],
      [`/admin/modules?delete=${first.moduleId}`, "module title"],
      [`/admin/modules/${first.moduleId}?delete=1`, "module title"],
      [`/admin/lessons?delete=${first.id}&course=${course.id}`, "lesson title"],
      [`/admin/lessons/${media.refused.id}`, "refused file"],
      [`/admin/lessons/${media.open.id}`, "open file"],
      ...["", "/modules", "/lessons", "/enrollments", "/students"].map((list) => [
        `/admin${list}?q=${encodeURIComponent(plants.one(`search ${list}`))}`,
        `search ${list}`,
      ]),
    ])
      await visit(seen, address ?? "", fields);
    for (const list of ["/admin", "/admin/modules", "/admin/students"]) {
      await openAdmin(page, list);
      await page.getByRole("link", { name: "Next", exact: true }).click();
      await expect(page.getByRole("link", { name: "Previous", exact: true })).toBeVisible();
      await expectHarmless(seen, shows[list] ?? []);
    }
  });

  await test.step("people who are found while she types", async () => {
    await openAdmin(page, "/admin/enrollments/new");
    const box = page.getByRole("combobox", { name: "Student" });
    await box.fill("xss");
    const found = page.getByRole("listbox", { name: "People" }).getByRole("option");
    await expect(found.first()).toBeVisible();
    await expectHarmless(seen, ["student name"]);
    await found.first().click();
    await expectHarmless(seen);
    await box.fill(students[1].email);
    await found.filter({ hasText: students[1].email }).click();
    await page.getByLabel("Course").selectOption(other.id);
    await page.getByRole("button", { name: "Enroll", exact: true }).click();
    const said = toast(page, "Enrollment created successfully");
    await expect(said).toContainText("xss(");
    await expectHarmless(seen, ["student name", "course title"]);
  });

  await test.step("the order of the course, said aloud", async () => {
    await openAdmin(page, `/admin/courses/${course.id}`);
    await page
      .getByRole("button", { name: /^Move .* down$/ })
      .first()
      .click();
    await expect(page.locator(".outline-status")).toContainText("xss(");
    await expectHarmless(seen, ["module title"]);
  });

  await test.step("a draft that is taken up", async () => {
    await openAdmin(page, `/admin/lessons/${fourth.id}`);
    await proceed(page).click();
    await expect(text(page)).toHaveValue(/xss\(/);
    await expectHarmless(seen, ["unsaved title", "unsaved text", "unsaved question"]);
  });
});

test("previews and two versions side by side: nothing of what people have written runs", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 409: POST .*\/admin\/(courses|modules|lessons)\//);
  const { services } = site;
  const { plants, course, lessons, media, page, seen } = await openAttacked(site, device);
  const [first, , , , fifth] = lessons;

  await test.step("the preview, and both versions of a lesson", async () => {
    await openAdmin(page, `/admin/lessons/${fifth?.id}`);
    const corpus = plants.texts("previewed text");
    for (let at = 0; at < attacks.length; at += 12) {
      await text(page).fill(corpus.slice(at, at + 12).join("\n\n"));
      await field(page, "Question 1").fill(plants.one("previewed question"));
      const [mark = ""] = corpus[at]?.split("\n") ?? [];
      await expect(preview(page)).toContainText(mark);
      await expectHarmless(seen, ["previewed text"]);
    }
    await expect(preview(page)).toContainText(plants.of("previewed question").at(-1) ?? "");
    const theirs = {
      ...{ id: fifth?.id ?? "", moduleId: fifth?.moduleId ?? "", slug: "attacked", revision: 1 },
      ...{ orderNum: 5, dripDay: 0, title: plants.one("their title") },
      content: plants.texts("their text").join("\n\n"),
      prompts: plants.all("their question").map((question) => ({ question, placeholder: "" })),
    };
    expect((await updateLesson(services, theirs)).kind).toBe("saved");
    await save(page).click();
    await expect(page.getByRole("heading", { name: "Changed elsewhere" })).toBeVisible();
    await expectHarmless(seen, ["their title", "their text"]);
    await page.getByRole("button", { name: "Take all of theirs" }).click();
    await expect(text(page)).toHaveValue(/xss\(/);
    await expectHarmless(seen, ["their title", "their text", "their question"]);
  });

  await test.step("both versions of a course, a module and a transcript", async () => {
    await openAdmin(page, `/admin/courses/${course.id}`);
    const words = { slug: course.slug, price: "1", revision: "1" };
    const title = plants.one("their course");
    expect(await saveCourse(services, { id: course.id, ...words, title })).toHaveProperty("id");
    await page.getByRole("button", { name: "Save course" }).click();
    await expect(page.locator(".their-version")).toContainText("xss(");
    await expectHarmless(seen, ["their course"]);

    await openAdmin(page, `/admin/modules/${first.moduleId}`);
    const module = { id: first.moduleId, productId: course.id, orderNum: "1", revision: "1" };
    const other = { ...module, title: plants.one("their module") };
    expect(await saveModule(services, other)).toHaveProperty("id");
    await page.getByRole("button", { name: "Save module" }).click();
    await expect(page.locator(".their-version")).toContainText("xss(");
    await expectHarmless(seen, ["their module"]);

    await openAdmin(page, `/admin/lessons/${media.heard.id}`);
    const video = mediaPart(page, "Video");
    await video.getByText("Read or change it").click();
    const box = video.getByLabel("Transcript of the video");
    const before = versionOf(await box.inputValue());
    await box.fill(plants.one("my transcript"));
    const said = { lessonId: media.heard.id, kind: "video", version: before } as const;
    const changed = plants.one("their transcript");
    expect((await saveTranscript(services, { ...said, text: changed })).is).toBe("saved");
    await video.getByRole("button", { name: "Save transcript" }).click();
    await expect(video.getByText("This transcript was changed somewhere else")).toBeVisible();
    await expectHarmless(seen, ["my transcript", "their transcript"]);
  });
});
