import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent } from "./support/students.ts";
import { expect, test } from "./support/test.ts";

const addresses = ["/nowhere", "/404", "/courses/none", "/%zz", `/${"long-".repeat(400)}`];
const buttons = [
  { name: "Go Home", to: "/" },
  { name: "View Courses", to: "/courses" },
  { name: "Learn About Coaching", to: "/coaching" },
];

test.use({ siteKind: "shared" });

test("a path that leads nowhere says so, and leads on", async ({ device, watch }) => {
  watch.expect(/^answer 404: GET \//);
  const page = await device();
  for (const address of addresses) {
    const response = await page.goto(address);
    expect(response?.status()).toBe(404);
    await expect(page).toHaveTitle("Page Not Found | Blue Dot");
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");
    await expect(page.locator('link[rel="canonical"]')).toHaveCount(0);
    const main = page.getByRole("main");
    await expect(main.getByText("404", { exact: true })).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page Not Found");
    await expect(
      main.getByText("The page you're looking for doesn't exist or has been moved."),
    ).toBeVisible();
    expect(await main.getByRole("link").allTextContents()).toEqual(buttons.map(({ name }) => name));
  }
  await look(page, "not-found", { widths: [320, 360, 768, 1280], night: true });
  for (const { name, to } of buttons) {
    await page.goto("/nowhere");
    await page.getByRole("main").getByRole("link", { name }).click();
    await expect(page).toHaveURL(to);
  }
});

test("for somebody signed in it is taken over by React, quietly", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 404: GET \//);
  const page = await device({ as: await createStudent(site.services) });
  // The router in the browser has a word to say about '%zz' in its console.
  for (const address of addresses.filter((path) => path !== "/%zz")) {
    await page.goto(address);
    await hydrated(page);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page Not Found");
    await expect(page.getByRole("link", { name: "My Courses" })).toBeVisible();
    await expect(page).toHaveTitle("Page Not Found | Blue Dot");
  }
  await look(page, "not-found-student", { widths: [1280] });
});
