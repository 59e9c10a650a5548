import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { createCourse } from "../support/courses.ts";
import { look } from "./support/screen.ts";
import { createStudent, idOf } from "./support/students.ts";
import { expect, phone, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

const questions = (count: number, length = 40) =>
  Array.from({ length: count }, (_, at) => ({
    question: `${at + 1} ${"What do you remember? ".repeat(60)}`.slice(0, length),
    placeholder: "",
  }));

test("worksheets: one page on A4 and on Letter, with lines; the workbook has a page for each", async ({
  site,
  device,
}) => {
  const student = await createStudent(site.services);
  const course = await createCourse(site.services, [
    [
      { slug: "one", prompts: questions(1) },
      { slug: "three", prompts: questions(3) },
      { slug: "eight", prompts: questions(8) },
      { slug: "long", prompts: questions(1, 1000) },
      { slug: "twenty", prompts: questions(20) },
      { slug: "none" },
    ],
    [{ slug: "later", dripDay: 7, prompts: questions(2) }],
  ]);
  const userId = await idOf(site.services, student.email);
  await enroll(site.services, { userId, productId: course.id });
  const page = await device({ as: student, viewport: phone });
  const learn = `/courses/${course.slug}/learn`;
  const pages = async (format: "A4" | "Letter") =>
    (await page.pdf({ format })).toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g)?.length;

  await test.step("the lesson leads to its worksheet", async () => {
    await page.goto(`${learn}?lesson=three`);
    await page.getByRole("link", { name: "Print a worksheet" }).click();
    await expect(page.getByRole("heading", { name: "Lesson 1.2", exact: true })).toBeVisible();
    await look(page, "worksheet", { widths: [360, 1280], night: true });
  });

  await test.step("on paper the lines are as wide as the page", async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ media: "print" });
    const lines = page.locator(".worksheet-lines").first();
    expect(await lines.evaluate((one) => one.clientWidth)).toBe(1280);
    await page.emulateMedia({ media: null });
  });

  for (const [slug, count] of [
    ["one", 1],
    ["three", 1],
    ["eight", 1],
    ["long", 1],
    ["twenty", 3],
  ] as const)
    await test.step(`${slug}: on ${count} at A4 and Letter`, async () => {
      await page.goto(`${learn}/worksheet?lesson=${slug}`);
      for (const format of ["A4", "Letter"] as const) expect(await pages(format)).toBe(count);
    });

  await test.step("the workbook: cover, two modules, the sheets of what is open", async () => {
    await page.goto(`${learn}/workbook`);
    await look(page, "workbook", { widths: [360, 1280], night: true });
    await expect(page.getByText("Lesson 2.1 opens")).toBeVisible();
    expect(await pages("A4")).toBe(1 + 2 + 4 + 3);
  });
});
