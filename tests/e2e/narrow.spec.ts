import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { createCourse } from "../support/courses.ts";
import { blueDot, box, complete, heading, openPlayer } from "./support/player.ts";
import { expectNoSidewaysScroll, look } from "./support/screen.ts";
import { createStudent } from "./support/students.ts";
import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

const narrow = { widths: [320] };
const endless = "Donaudampfschifffahrtsgesellschaftskapitän".repeat(4);
const words = `${endless}\n\n🕯️👨‍👩‍👧‍👦💙 ${"🌊".repeat(60)}\n\nהיום היה יום ארוך מאוד, ואני מתגעגעת אליו.\n\n</script><b>not bold</b>`;

const visitorPages = [
  "/",
  "/courses",
  "/courses/blue-dot-method",
  "/auth",
  "/auth?mode=sign-up",
  "/auth/forgot",
  "/nowhere",
];

test("nothing is wider than a small phone, whatever is written", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 404: GET \/nowhere$/);
  const viewport = { width: 320, height: 640 };
  const visitor = await device({ viewport });
  for (const [index, path] of visitorPages.entries()) {
    await visitor.goto(path);
    await look(visitor, `narrow-visitor-${index}`, narrow);
  }

  const student = await createStudent(site.services);
  const course = await createCourse(
    site.services,
    [
      [
        {
          title: `A lesson about ${endless}`,
          content: `# ${endless}\n\n${endless}\n\n| a | b | c | d |\n|---|---|---|---|\n| ${endless} | b | c | d |\n\n\`\`\`\n${endless}\n\`\`\`\n\nhttps://example.com/${endless}\n\n> היום היה יום ארוך`,
          prompts: [{ question: `What about ${endless}?`, placeholder: endless }],
        },
        { title: "The next" },
      ],
    ],
    { title: `A course about ${endless}` },
  );
  await enroll(site.services, { userId: student.id, productId: course.id });
  const page = await device({ as: student, viewport });
  await page.goto("/my-courses");
  await look(page, "narrow-my-courses", narrow);
  await openPlayer(page, `/courses/${course.slug}/learn`);
  await look(page, "narrow-endless-words", narrow);
  await page.getByRole("button", { name: "Lessons" }).click();
  await look(page, "narrow-drawer-endless", narrow);

  await openPlayer(page);
  await box(page, 1).fill(words);
  await look(page, "narrow-writing", narrow);
  await complete(page);
  await page.getByRole("link", { name: "Previous" }).click();
  await expect(page.getByText("</script><b>not bold</b>")).toBeVisible();
  await look(page, "narrow-written", narrow);
  // Writing from right to left starts at the right.
  await expect(page.getByText(endless).locator("xpath=ancestor-or-self::dd")).toHaveAttribute(
    "dir",
    "auto",
  );
});

test("at 200 % nothing is cut off or moves sideways", async ({ site, device }) => {
  const student = await createStudent(site.services);
  const page = await device({
    as: student,
    viewport: { width: 640, height: 400 },
    deviceScaleFactor: 2,
  });
  for (const path of ["/", "/courses", "/courses/blue-dot-method", "/my-courses", blueDot]) {
    await page.goto(path);
    await expect(heading(page)).toBeVisible();
    await expectNoSidewaysScroll(page, `${path} at 200 %`);
  }
  await look(page, "zoomed-player", { widths: [640] });
});
