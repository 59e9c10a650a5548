import { createCourse } from "../support/courses.ts";
import { look } from "./support/screen.ts";
import { createStudent } from "./support/students.ts";
import { expect, phone, test, toast } from "./support/test.ts";

test.use({ settings: { COMING_SOON: "none" } });

const everywhere = { widths: [360, 768, 1280], night: true };
const refund =
  "You can have your money back within 14 days, as long as you have completed no more than 25% of the lessons.";

for (const [slug, label, price] of [
  ["blue-dot-method", "Enroll Now - $197", "$197.00"],
  ["seven-days-of-calm", "Enroll Now - $47", "$47.00"],
] as const) {
  test(`/courses/${slug} sells: price once, button twice, the way back in plain words`, async ({
    device,
  }) => {
    const page = await device();
    await page.goto(`/courses/${slug}`);
    const main = page.getByRole("main");
    await expect(main.getByText(price, { exact: true })).toHaveCount(1);
    await expect(main.getByText("One-time payment", { exact: true })).toHaveCount(1);
    await expect(main.getByText(refund)).toBeVisible();
    const buttons = main.getByRole("button", { name: label, exact: true });
    await expect(buttons).toHaveCount(2);
    await look(page, `${slug}-open`, everywhere);
    await buttons.last().click();
    await expect(page).toHaveURL(`/auth?redirect=/courses/${slug}`);
    await expect(toast(page, "Please sign in to enroll in this course")).toBeVisible();
  });

  test(`/courses/${slug} for somebody signed in, enrolled or not`, async ({ site, device }) => {
    const page = await device({ as: await createStudent(site.services, { courses: [] }) });
    await page.goto(`/courses/${slug}`);
    await page.getByRole("button", { name: label }).first().click();
    await expect(toast(page, "Enrollment")).toContainText("Payment integration is coming soon.");
    await expect(page).toHaveURL(`/courses/${slug}`);
    await look(page, `${slug}-open-enrollment-toast`);

    const other = await device({
      as: await createStudent(site.services, { courses: [slug] }),
      javaScriptEnabled: false,
      viewport: phone,
    });
    await other.goto(`/courses/${slug}`);
    await other.getByRole("link", { name: "Continue Learning" }).first().click();
    await expect(other).toHaveURL(`/courses/${slug}/learn`);
  });
}

test("the button says that it is working, once, until the page is left or stays", async ({
  device,
}) => {
  const page = await device();
  await page.clock.install();
  await page.goto("/courses/blue-dot-method");
  let presses = 0;
  await page.route("/courses/blue-dot-method", async (route) => {
    presses += 1;
    await route.fulfill({ status: 204 });
  });
  const button = page.getByRole("main").getByRole("button").first();
  await page.clock.pauseAt(Date.now() + 60_000);
  await button.click();
  await expect(button).toHaveAccessibleName("Processing...");
  await button.click();
  // axe waits for the clock.
  await page.clock.resume();
  await look(page, "blue-dot-method-processing");
  await page.clock.fastForward(10_000);
  await expect(button).toHaveAccessibleName("Enroll Now - $197");
  expect(presses).toBe(1);
});

test("a course of the administrator's has a page: price, button, what is inside", async ({
  site,
  device,
}) => {
  const { slug } = await createCourse(
    site.services,
    [
      [{ title: "A table, a lamp, an hour" }, { title: "What you call them", dripDay: 1 }],
      [{ title: "The ordinary letter", dripDay: 7 }],
    ],
    { title: "Letters to someone who died", priceCents: 8950 },
  );
  const page = await device();
  await page.goto(`/courses/${slug}`);
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1 })).toHaveText("Letters to someone who died");
  await expect(main.getByText("$89.50", { exact: true })).toBeVisible();
  await expect(main.getByText("One-time payment", { exact: true })).toBeVisible();
  await expect(main.getByRole("button", { name: "Enroll Now", exact: true })).toBeVisible();
  const inside = main.getByRole("region", { name: "What is inside" });
  await expect(inside.getByRole("heading", { level: 3 })).toHaveText(["Module 1", "Module 2"]);
  await expect(inside.getByText("What you call themDay 1")).toHaveCount(1);
  await expect(inside.getByText("The ordinary letter")).toBeVisible();
  await expect(inside.getByText("Day 7")).toBeVisible();
  await expect(inside.getByRole("link")).toHaveCount(0);
  await look(page, "course", everywhere);
});

test("whatever an administrator writes, it stays within the page", async ({ site, device }) => {
  const endless = "Donaudampfschifffahrtsgesellschaftskapitän".repeat(3);
  const long = `${"A title that goes on for longer than anybody planned ".repeat(4)}<b>& more</b>`;
  const sketch = [[{ title: endless, dripDay: 365 }, { title: long }], []];
  const titles = [endless, long];
  const widths = { widths: [320, 768, 1280] };
  const page = await device();
  for (const [index, title] of titles.entries()) {
    const { slug, id } = await createCourse(site.services, sketch, { title });
    await site.services.db.write
      .updateTable("products")
      .set({ description: `${long} ${endless} `.repeat(5) })
      .where("id", "=", id)
      .execute();
    await page.goto(`/courses/${slug}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title.trim());
    await look(page, `course-long-${index}`, widths);
  }
  await page.goto("/courses");
  await look(page, "courses-long", widths);
});

test("while no course is active, the list says so", async ({ site, device }) => {
  const { db } = site.services;
  const active = db.read.selectFrom("products").select("id").where("active", "=", true);
  const ids = (await active.execute()).map(({ id }) => id);
  const turn = (on: boolean) =>
    db.write.updateTable("products").set({ active: on }).where("id", "in", ids).execute();
  await turn(false);
  try {
    const page = await device();
    await expect(async () => {
      await page.goto("/courses");
      await expect(page.getByText("There is no course to show just now.")).toBeVisible();
    }).toPass();
    await expect(page.getByText("More courses coming soon")).toBeVisible();
    await look(page, "courses-empty", everywhere);
  } finally {
    await turn(true);
  }
});
