import { createPerson } from "../support/people.ts";
import { look } from "./support/screen.ts";
import { createStudent } from "./support/students.ts";
import { expect, phone, test } from "./support/test.ts";

const everywhere = { widths: [360, 768, 1280], night: true };
const dedicated = [
  {
    slug: "blue-dot-method",
    title: "The Blue Dot Method",
    price: "$197.00",
    facts: [
      "6-week course",
      "Daily practices of 10 minutes or less",
      "Downloadable worksheets",
      "Lifetime access",
    ],
    parts: ["Week 1: Where you are", "Week 6: The next small direction"],
  },
  {
    slug: "seven-days-of-calm",
    title: "7 Days of Calm",
    price: "$47.00",
    facts: ["7 daily lessons by email", "10-minute practices", "Audio guides", "Workbook PDF"],
    parts: ["Day 1: Put your weight down", "Day 7: One thing to steer by"],
  },
];

test("the list of courses leads to each of them", async ({ device }) => {
  const page = await device();
  await page.goto("/courses");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1, name: "Courses" })).toBeVisible();
  await expect(main.getByText("More courses coming soon")).toBeVisible();
  for (const { slug, title } of dedicated) {
    await expect(main.getByRole("heading", { level: 2, name: title })).toBeVisible();
    const link = main.getByRole("link", { name: `Learn more about ${title}` });
    await expect(link).toHaveText(/^Learn more/);
    await expect(link).toHaveAttribute("href", `/courses/${slug}`);
  }
  await look(page, "courses", everywhere);
});

for (const { slug, title, price, facts, parts } of dedicated)
  test(`${title} says what it is, and is coming soon`, async ({ device }) => {
    const page = await device();
    await page.goto(`/courses/${slug}`);
    const main = page.getByRole("main");
    await expect(main.getByRole("heading", { level: 1 })).toHaveText(title);
    await expect(page).toHaveTitle(`${title} | Blue Dot`);
    const glance = main.getByRole("list", { name: "At a glance" });
    await expect(glance.getByRole("listitem")).toHaveText(facts);
    for (const name of [...parts, "What it is", "What you get", "Who it is not for"])
      await expect(main.getByRole("heading", { name, exact: true })).toBeVisible();
    if (slug === "seven-days-of-calm")
      await expect(main.getByText("A Grief Reset Kit", { exact: true })).toBeVisible();
    const help = main.getByRole("region", { name: "Who it is not for" });
    await expect(help.getByRole("link", { name: "call 988" })).toHaveAttribute("href", "tel:988");
    await expect(main.getByText(price, { exact: true })).toHaveCount(1);
    await expect(main.getByText("One-time payment", { exact: true })).toHaveCount(1);
    await expect(main.getByRole("button", { name: /Enroll Now/ })).toHaveCount(0);
    await look(page, `${slug}-coming-soon`, everywhere);

    const question = main.getByText("Can I get my money back?");
    await question.click();
    await expect(main.getByText("Yes, if you ask within 14 days of buying")).toBeVisible();

    const buttons = main.getByRole("button", { name: "Coming Soon", exact: true });
    await expect(buttons).toHaveCount(2);
    const dialog = page.getByRole("dialog", { name: "Join my weekly newsletter" });
    for (const button of await buttons.all()) {
      await button.click();
      await expect(dialog).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(dialog).toBeHidden();
      await expect(button).toBeFocused();
    }
  });

test("without scripts 'Coming Soon' leads to the form's own page", async ({ device }) => {
  const page = await device({ javaScriptEnabled: false, viewport: phone });
  for (const { slug } of dedicated) {
    await page.goto(`/courses/${slug}`);
    await look(page, `plain-${slug}`, { axe: false });
    await page.getByRole("main").getByRole("button", { name: "Coming Soon" }).first().click();
    await expect(page).toHaveURL(/\/newsletter\??$/);
    await expect(page.getByRole("main").getByLabel("First name")).toBeVisible();
  }
});

test("whoever is enrolled goes on learning; an administrator sees what all see", async ({
  site,
  device,
}) => {
  const slugs = dedicated.map(({ slug }) => slug);
  const page = await device({ as: await createStudent(site.services, { courses: slugs }) });
  for (const slug of slugs) {
    await page.goto(`/courses/${slug}`);
    const main = page.getByRole("main");
    await expect(main.getByText("Already Enrolled", { exact: true })).toBeVisible();
    await expect(main.getByRole("button", { name: "Coming Soon" })).toHaveCount(0);
    await look(page, `${slug}-enrolled`, { night: true });
    await main.getByRole("link", { name: "Continue Learning" }).first().click();
    await expect(page).toHaveURL(`/courses/${slug}/learn`);
  }
  await page.goto("/my-courses");
  for (const { slug, title } of dedicated)
    await expect(
      page.getByRole("link", { name: new RegExp(`^Start Course ?: ${title}$`) }),
    ).toHaveAttribute("href", `/courses/${slug}/learn`);

  const nora = await createPerson(site.services, { role: "admin" });
  const admin = await device({ as: nora });
  await admin.goto("/courses/blue-dot-method");
  const main = admin.getByRole("main");
  await main.getByRole("button", { name: "Coming Soon" }).first().click();
  await expect(admin.getByRole("dialog", { name: "Join my weekly newsletter" })).toBeVisible();
});

test("after subscribing, three next steps", async ({ device }) => {
  const page = await device();
  await page.goto("/thank-you");
  await expect(page).toHaveTitle("You're All Set | Blue Dot");
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", /noindex/);
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1 })).toHaveText("You're All Set");
  const steps = main.getByRole("listitem").getByRole("heading");
  await expect(steps).toHaveText([
    "Check your email",
    "Click the confirmation link",
    "Get weekly reflections",
  ]);
  const links: [string, string][] = [
    ["Explore Courses", "/courses"],
    ["Learn About Coaching", "/coaching"],
    ["Go Home", "/"],
  ];
  for (const [name, href] of links)
    await expect(main.getByRole("link", { name })).toHaveAttribute("href", href);
  await look(page, "thank-you", everywhere);
});

test("after enrolling, four next steps", async ({ device }) => {
  const page = await device();
  await page.goto("/enrollment-success");
  await expect(page).toHaveTitle("Welcome to Your Course! | Blue Dot");
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", /noindex/);
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1 })).toHaveText("Welcome to Your Course!");
  const steps = main.getByRole("listitem").getByRole("heading");
  await expect(steps).toHaveText([
    "Check your email for access details",
    "Log in",
    "Lifetime access, at your own pace",
    "Join the community",
  ]);
  const links: [string, string][] = [
    ["Log In", "/auth"],
    ["Browse Courses", "/courses"],
    ["Go Home", "/"],
  ];
  for (const [name, href] of links)
    await expect(main.getByRole("link", { name })).toHaveAttribute("href", href);
  await look(page, "enrollment-success", everywhere);
});

test("all of it can be read at 200 % zoom", async ({ device }) => {
  // A window of 1280 px that is zoomed to twice its size is 640 px wide for the page.
  const page = await device({ viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 });
  const paths = ["", "/blue-dot-method", "/seven-days-of-calm"].map((path) => `/courses${path}`);
  for (const path of [...paths, "/thank-you", "/enrollment-success"]) {
    await page.goto(path);
    await look(page, `zoom${path.replaceAll("/", "-")}`, { widths: [320, 640], axe: false });
  }
});
