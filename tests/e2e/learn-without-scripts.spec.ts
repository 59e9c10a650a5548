import { createCourse } from "../support/courses.ts";
import { createListener, lessonPath, playerOf } from "./support/playback.ts";
import { box, firstLesson, heading, lessons, secondLesson } from "./support/player.ts";
import { look } from "./support/screen.ts";
import {
  createStudent,
  draftsOf,
  endSessions,
  givePassword,
  journalsOf,
  leaveDraft,
} from "./support/students.ts";
import { expect, phone, press, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

const password = "Quiet Morning 1";
const plain = { axe: false };

test("without scripts, on a phone: sign in, study, and continue after the session has ended", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(/^answer 401: POST .*\/learn/);
  const student = await createStudent(services);
  const { slug } = await createCourse(services, [[{}]], { title: "A plain course" });
  await givePassword(services, student.id, password);
  await leaveDraft(services, student.id, "the-point-the-needle-rests-on", "From last week.");
  await leaveDraft(services, student.id, "the-point-the-needle-rests-on", "Last month.", 40);
  await leaveDraft(services, student.id, "the-point-the-needle-rests-on", "Last summer.", 200);
  const page = await device({ javaScriptEnabled: false, viewport: phone });
  const signIn = async (tab: typeof page) => {
    await tab.getByLabel("Email", { exact: true }).fill(student.email);
    await tab.getByLabel("Password", { exact: true }).fill(password);
    await tab.getByRole("button", { name: "Sign In" }).click();
  };

  await test.step("sign-in leads back, a course says what enrolling needs, the menu opens", async () => {
    await page.goto(`/auth?redirect=/courses/${slug}`);
    await signIn(page);
    await expect(page).toHaveURL(`/courses/${slug}`);
    await expect(toast(page, "Welcome back!")).toBeVisible();
    await page.getByRole("button", { name: "Enroll Now" }).click();
    await expect(toast(page, "Enrollment")).toContainText("Payment integration is coming soon");
    await page.getByRole("button", { name: "Menu" }).click();
    await look(page, "plain-menu", { ...plain, widths: [360] });
    await page.getByRole("link", { name: "My Courses" }).click();
    await page.getByRole("link", { name: /^Start Course/ }).click();
  });

  await test.step("the newest draft is in the boxes; others are discarded or opened", async () => {
    await expect(heading(page)).toHaveText(firstLesson);
    await expect(box(page, 1)).toHaveValue("From last week.");
    await page.locator("summary", { hasText: "Discard: Last summer." }).click();
    await look(page, "plain-restored", plain);
    await page.getByRole("button", { name: "Yes, discard it" }).locator("visible=true").click();
    await expect(page.getByText("Last summer.")).toHaveCount(0);
    await page.getByRole("link", { name: "Open : Last month." }).click();
    await expect(box(page, 1)).toHaveValue("Last month.");
    await page.locator("summary", { hasText: "Discard: Last month." }).click();
    await page.getByRole("button", { name: "Yes, discard it" }).locator("visible=true").click();
    await expect(box(page, 1)).toHaveValue("From last week.");
    expect(await draftsOf(services, student.id)).toEqual(["From last week."]);
  });

  await test.step("it is sent, and gone; a second tab is told that its answers are a draft", async () => {
    const tab = await page.context().newPage();
    await tab.goto("/courses/blue-dot-method/learn");
    await box(page, 1).fill("From last week, and today.");
    await press(page, "Mark as Complete", "Lesson completed!");
    await expect(heading(page)).toHaveText(secondLesson);
    expect(await draftsOf(services, student.id)).toEqual([]);
    await box(tab, 1).fill("In a second tab.");
    await tab.getByRole("button", { name: "Mark as Complete" }).click();
    await expect(tab.getByText(/^This lesson was already completed a minute ago/)).toBeInViewport();
    await expect(tab.getByText("In a second tab.")).toBeVisible();
    await look(tab, "plain-completed-before", plain);
    await tab.getByRole("link", { name: "Add it to your journal" }).click();
    await expect(tab.getByText("In a second tab.")).toBeInViewport();
    await tab.close();
  });

  await test.step("the drawer leads back to the lesson", async () => {
    await page.getByRole("button", { name: "Lessons" }).click();
    await look(page, "plain-drawer", { ...plain, widths: [360] });
    await lessons(page).getByRole("link", { name: firstLesson }).click();
    await expect(page.getByText("From last week, and today.")).toBeVisible();
    await expect(page.getByText(/already completed/)).toHaveCount(0);
    await expect(lessons(page)).toBeHidden();
  });

  await test.step("a session that has ended gives the answers back, to be sent again", async () => {
    await page.getByRole("link", { name: "Next Lesson" }).click();
    const answer = "Line one,\nline two </textarea><script>alert(1)</script>";
    await box(page, 1).fill(answer);
    await endSessions(services, student.id);
    await page.getByRole("button", { name: "Mark as Complete" }).click();
    await expect(heading(page)).toHaveText("You have been signed out");
    await look(page, "plain-signed-out", plain);
    const opened = page.context().waitForEvent("page");
    await page.getByRole("link", { name: "Sign in again in a new tab" }).click();
    const tab = await opened;
    await signIn(tab);
    await expect(tab).toHaveURL("/auth/signed-in");
    await tab.close();
    await page.getByRole("button", { name: "I am signed in: save it now" }).click();
    await expect(heading(page)).toHaveText("You are allowed to be bad at this");
    expect((await journalsOf(services, student.id))[1]).toContain(`\n${answer}`);
  });

  await test.step("the browser's own controls play from the saved position", async () => {
    const { course, student: listener } = await createListener(services);
    const of = { userId: listener.id, lessonId: course.modules[0]?.lessons[0]?.id ?? "" };
    const { muxPlaybackId: key } = await services.db.read
      .selectFrom("lessons")
      .select("muxPlaybackId")
      .where("id", "=", of.lessonId)
      .executeTakeFirstOrThrow();
    await services.db.write
      .insertInto("playbackPositions")
      .values({ ...of, kind: "video", key: key ?? "", positionMs: 20_000, updatedAt: new Date() })
      .execute();
    const other = await device({ as: listener, javaScriptEnabled: false });
    await other.goto(lessonPath(course));
    await expect(other.locator("video")).toHaveAttribute("controls", "");
    await expect(other.locator("audio")).toHaveAttribute("controls", "");
    await expect(other.locator("video")).toHaveAttribute("src", /#t=20$/);
    await expect(playerOf(other, "video").getByText("Continues at 0:20")).toBeVisible();
    await expect(other.getByText("Start from the beginning")).toBeHidden();
    await look(other, "playback-no-scripts", plain);
  });
});
