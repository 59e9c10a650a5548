import type { Locator } from "@playwright/test";
import { site as content } from "~content/site.ts";
import { dialog, opener } from "./support/newsletter.ts";
import { complete, openPlayer } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

const night = "rgb(18, 24, 31)";
const day = "rgb(251, 248, 243)";

/** Names and addresses of the links that can be seen there, in order. */
const linksIn = async (place: Locator) => {
  const links: [string, string | null][] = [];
  for (const link of await place.getByRole("link").all())
    links.push([(await link.textContent()) ?? "", await link.getAttribute("href")]);
  return links;
};

/** The newsletter's form as spec 2 has it. */
async function expectForm(place: Locator) {
  const firstName = place.getByRole("textbox", { name: "First name" });
  const email = place.getByRole("textbox", { name: "Email address" });
  await expect(firstName).toHaveAttribute("placeholder", "Your first name");
  await expect(email).toHaveAttribute("placeholder", /^[^@ ]+@example\.com$/);
  await expect(email).toHaveAttribute("type", "email");
  for (const field of [firstName, email]) await expect(field).toHaveAttribute("required");
  await expect(place.getByRole("button", { name: "Subscribe" })).toBeVisible();
}

test("header, footer and dialog say what the spec says, in its order", async ({ device }) => {
  const page = await device();
  await page.goto("/privacy");
  const header = page.getByRole("banner");
  await expect(header.getByRole("link").first()).toHaveAttribute("href", "/");
  await expect(header.getByRole("link").first()).toHaveAccessibleName(new RegExp(content.name));
  expect(await linksIn(header.getByRole("navigation", { name: "Main" }))).toEqual([
    ["Home", "/"],
    ["About", "/about"],
    ["Courses", "/courses"],
    ["Coaching", "/coaching"],
    ["Log In", "/auth"],
  ]);

  const footer = page.getByRole("contentinfo");
  await expect(footer.getByText(content.blurb)).toBeVisible();
  await expect(footer.getByRole("heading", { name: "Stay Connected" })).toBeVisible();
  await expectForm(footer);
  expect(await linksIn(footer)).toEqual([
    ["About", "/about"],
    ["Courses", "/courses"],
    ["Coaching", "/coaching"],
    ["Privacy", "/privacy"],
    ["Terms", "/terms"],
  ]);
  await expect(
    footer.getByText(`© ${new Date().getUTCFullYear()} ${content.name}`, { exact: true }),
  ).toBeVisible();

  await opener(page).click();
  await expect(dialog(page)).toHaveAccessibleDescription(
    "Reflections, tools, and insights for living with loss.",
  );
  await expectForm(dialog(page));
  await expect(dialog(page).getByText(/Unsubscribe at any time/)).toBeVisible();
});

test("a toast is announced, stays while it is needed, and can be dismissed", async ({
  site,
  device,
}) => {
  const student = await createStudent(site.services, { courses: ["seven-days-of-calm"] });
  const page = await device({ as: student });
  await page.goto("/courses/blue-dot-method/learn", { waitUntil: "commit" });
  const refused = toast(page, "Not enrolled");
  // What comes with a page is said again in a region that was there before, and only for seconds.
  await expect(
    page.locator("[aria-live=polite] .sr-only", { hasText: "Not enrolled" }),
  ).toHaveCount(1);
  await expect(refused).toHaveRole("alert");
  await refused.getByRole("button", { name: "Dismiss" }).click();
  await expect(refused).toBeHidden();

  await openPlayer(page, "/courses/seven-days-of-calm/learn");
  await complete(page, "🎉 Module Complete!");
  const done = toast(page, "🎉 Module Complete!");
  await expect(done.locator("xpath=ancestor::*[@aria-live='polite']")).toHaveCount(1);
  await done.hover();
  // Pointed at, it waits; ten seconds after that it goes by itself.
  await expect(done).toHaveCSS("animation-play-state", /paused/);
  await page.mouse.move(0, 0);
  await expect(done).not.toHaveCSS("animation-play-state", /paused/);
  await done.evaluate((element) => {
    for (const animation of element.getAnimations()) animation.currentTime = 60_000;
  });
  await expect(done).toBeHidden();
});

test("night mode is remembered, and is there before the first script", async ({ device }) => {
  const page = await device();
  const paper = page.locator("html");
  await page.goto("/");
  await expect(paper).toHaveCSS("background-color", day);
  await page.getByRole("button", { name: "Theme: as the system" }).click();
  await page.getByRole("button", { name: "Theme: light" }).click();
  await expect(page.getByRole("button", { name: "Theme: night" })).toBeVisible();
  await expect(paper).toHaveCSS("background-color", night);

  const other = await page.context().newPage();
  await other.goto("/courses");
  await expect(other.locator("html")).toHaveCSS("background-color", night);

  const gate = Promise.withResolvers<void>();
  await page.route(/\.js(\?|$)/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto("/auth", { waitUntil: "commit" });
  await expect(page.getByRole("heading", { name: "Welcome Back" })).toBeVisible();
  await expect(paper).toHaveCSS("background-color", night);
  gate.resolve();
  await page.waitForLoadState();
  await expect(page.getByRole("button", { name: "Theme: night" })).toBeVisible();
  await expect(paper).toHaveCSS("background-color", night);

  await other.getByRole("button", { name: "Theme: night" }).click();
  await expect(other.locator("html")).toHaveCSS("background-color", day);
  await expect(paper).toHaveCSS("background-color", day);
});

test("the menu of a phone opens, closes and leads on", async ({ device }) => {
  const page = await device({ viewport: { width: 360, height: 740 } });
  await page.goto("/");
  const menu = page.getByRole("navigation", { name: "Main" });
  await expect(menu).toBeHidden();
  await page.getByRole("button", { name: "Menu" }).click();
  await expect(menu.getByRole("link", { name: "Home" })).toHaveAttribute("aria-current", "page");
  await look(page, "menu", { widths: [360], night: true });
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await page.getByRole("button", { name: "Menu" }).click();
  await menu.getByRole("link", { name: "Courses" }).click();
  await expect(page).toHaveURL("/courses");
  await expect(menu).toBeHidden();
});

test("turned to where there is room, what was open as a sheet stands in its place", async ({
  site,
  device,
}) => {
  const page = await device({ viewport: { width: 430, height: 932 } });
  await page.goto("/");
  const menu = page.getByRole("navigation", { name: "Main" });
  await page.getByRole("button", { name: "Menu" }).click();
  await expect(menu).toBeVisible();
  await page.setViewportSize({ width: 932, height: 430 });
  const middle = (part: Locator) =>
    part.evaluate((element) => {
      const { top, height } = element.getBoundingClientRect();
      return Math.round(top + height / 2);
    });
  const subscribe = page.getByRole("banner").getByRole("button", { name: "Subscribe" });
  await expect.poll(async () => (await middle(menu)) - (await middle(subscribe))).toBe(0);

  const student = await createStudent(site.services, { courses: ["blue-dot-method"] });
  const tablet = await device({ as: student, viewport: { width: 820, height: 1180 } });
  await openPlayer(tablet);
  await tablet.getByRole("button", { name: "Lessons" }).click();
  await expect(tablet.getByRole("button", { name: "Close" })).toBeVisible();
  await tablet.setViewportSize({ width: 1180, height: 820 });
  const edges = () =>
    tablet.evaluate(() =>
      ["aside", "main"].map((name) => document.querySelector(name)?.getBoundingClientRect()),
    );
  await expect(async () => {
    const [aside, main] = await edges();
    expect(aside?.right).toBeLessThanOrEqual(main?.left ?? 0);
  }).toPass();
});
