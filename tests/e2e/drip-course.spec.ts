import { write } from "./support/journal.ts";
import { calm, complete, heading, lessons, openPlayer } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent, letDaysPass } from "./support/students.ts";
import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

const timezoneId = "Pacific/Auckland";
const dayMs = 24 * 3600 * 1000;
const secret = "Turn the clock to the wall";
const lockedAddress = `${calm}?lesson=the-hour-when-you-wake`;

test("7 Days of Calm, day by day: locked lessons never reach the browser", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(/^answer 403: GET .*the-hour-when-you-wake$/);
  const student = await createStudent(services, { courses: ["seven-days-of-calm"] });
  const page = await device({ as: student, timezoneId });
  const received: Promise<string>[] = [];
  page.on("response", (response) => {
    const isText = /html|json|script/.test(response.headers()["content-type"] ?? "");
    // A page that is left takes the rest of its responses with it.
    if (isText && (response.status() < 300 || response.status() === 403))
      received.push(response.text().catch(() => ""));
  });
  const { createdAt } = await services.db.read
    .selectFrom("enrollments")
    .select("createdAt")
    .where("userId", "=", student.id)
    .executeTakeFirstOrThrow();
  const opens = (day: number, format: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-US", { timeZone: timezoneId, day: "numeric", ...format }).format(
      createdAt.getTime() + day * dayMs,
    );
  const locked = (title: string) => lessons(page).locator("[aria-disabled]", { hasText: title });
  const untilDay = async (days: number) => {
    await letDaysPass(services, student.id, days);
    await page.getByRole("link", { name: "My Courses" }).first().click();
    await page.getByRole("link", { name: "Continue Learning" }).click();
  };

  await test.step("the first day: the others are locked, dimmed, and say when they open", async () => {
    // The first page tells the site the time zone.
    await page.goto("/my-courses");
    await page.getByRole("link", { name: "Start Course" }).click();
    await expect(heading(page)).toHaveText("Put your weight down");
    await expect(page.getByRole("heading", { name: "Audio Lesson" })).toBeVisible();
    const short = { month: "short" } as const;
    const second = locked("Something warm, sitting down");
    await expect(second).toContainText(`Opens ${opens(1, short)}`);
    await expect(second).toContainText("Day 1");
    await expect(locked("One thing to steer by")).toContainText(`Opens ${opens(6, short)}`);
    await expect(second).not.toHaveAttribute("href", /./);
    await expect(second).toHaveCSS("cursor", "not-allowed");
    const color = (element: Element) => getComputedStyle(element).color;
    const open = lessons(page).getByRole("link", { name: "Put your weight down" });
    expect(await second.evaluate(color)).not.toBe(await open.evaluate(color));
    await second.click({ force: true });
    await expect(page).toHaveURL(new RegExp(`${calm}\\?lesson=`));
    await look(page, "calm-first-day");
    await complete(page, "🎉 Module Complete!");
    await expect(page.getByRole("link", { name: "Next Lesson" })).toHaveCount(0);
    await expect(page.getByText("14% Complete")).toBeVisible();
    await expect(page.getByText(/“Something warm, sitting down” opens tomorrow at/)).toBeVisible();
    await look(page, "calm-opens-next", { night: true });
  });

  await test.step("a locked lesson's address: its day, and nothing of it", async () => {
    await page.goto(lockedAddress);
    await expect(heading(page)).toHaveText("The hour when you wake");
    const day = opens(2, { weekday: "long", month: "long" });
    await expect(page.getByText(`This lesson opens on ${day}`)).toBeVisible();
    await expect(page.getByRole("textbox")).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Next Lesson" })).toHaveCount(0);
    await look(page, "player-locked", { night: true });
    const asked = await page.evaluate(
      (path) => fetch(path).then((response) => response.text()),
      lockedAddress.replace("/learn?", "/learn.data?"),
    );
    const arrived = await Promise.all(received);
    expect(arrived.some((text) => text.includes("The hour when you wake"))).toBe(true);
    for (const text of [await page.content(), asked, ...arrived])
      expect(text.includes(secret), "text of the locked lesson").toBe(false);
  });

  await test.step("the second day: its lesson is open, and the next one still locked", async () => {
    await untilDay(1);
    await expect(heading(page)).toHaveText("Something warm, sitting down");
    await expect(
      lessons(page).getByRole("link", { name: /Put your weight down.*completed/ }),
    ).toBeVisible();
    await complete(page);
    await expect(heading(page)).toHaveText("Something warm, sitting down");
    await expect(page.getByRole("link", { name: "Next Lesson" })).toHaveCount(0);
  });

  await test.step("the seventh day: the same address has the text, and the course ends", async () => {
    await letDaysPass(services, student.id, 5);
    await page.goto(lockedAddress);
    await expect(page.getByText(secret)).toBeVisible();
    await expect(lessons(page).locator("[aria-disabled]")).toHaveCount(0);
    await write(services, student.id, Array(6).fill([]), "seven-days-of-calm");
    await openPlayer(page, calm);
    await expect(heading(page)).toHaveText("One thing to steer by");
    await complete(page, "🎉 Module Complete!");
    await expect(page.getByText("100% Complete")).toBeVisible();
    await expect(page.getByRole("heading", { name: "The end of this course" })).toBeFocused();
    await look(page, "calm-all-done", { night: true });
    // All done: the course opens at its beginning (spec 4, initial lesson).
    await openPlayer(page, calm);
    await expect(heading(page)).toHaveText("Put your weight down");
    await expect(page.getByRole("heading", { name: /been through this course/ })).toBeInViewport();
    await look(page, "calm-reopened");
  });
});
