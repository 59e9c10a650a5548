import type { Page } from "@playwright/test";
import { site as words } from "~content/site.ts";
import { aHair, firstFlight, htmlWeight, openCalmly, seeAllPictures } from "./support/calm.ts";
import { createStudent } from "./support/students.ts";
import { expect, phone, test } from "./support/test.ts";

const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** What spec 2 says of Home. */
async function expectHome(page: Page) {
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1 })).toHaveCount(1);
  await expect(main.getByRole("heading", { level: 2 })).toHaveText([
    "Join Our Community",
    "Who I Am",
    "What I Offer",
    "Featured Content",
    "From two people I have worked with",
  ]);
  const leads = (name: string, href: string) =>
    expect(main.getByRole("link", { name, exact: true })).toHaveAttribute("href", href);
  await leads("Explore Courses", "/courses");
  await leads("Learn About Coaching", "/coaching");
  await leads("More about me", "/about");

  const community = section(page, "Join Our Community");
  await expect(community).toHaveId("newsletter");
  await expect(community.getByLabel("First name")).toHaveAttribute(
    "placeholder",
    "Your first name",
  );
  await expect(community.getByLabel("Email address")).toBeVisible();
  await expect(community.getByRole("button", { name: "Subscribe" })).toBeVisible();

  const cards = section(page, "What I Offer").getByRole("listitem");
  await expect(cards.getByRole("heading", { level: 3 })).toHaveText([
    "Courses",
    "Coaching",
    "Newsletter",
  ]);
  for (const [at, href] of ["/courses", "/coaching", "/#newsletter"].entries())
    await expect(cards.nth(at).getByRole("link")).toHaveAttribute("href", href);

  const films = section(page, "Featured Content").getByRole("article");
  await expect(films).toHaveCount(3);
  for (const [at, { title, href, length, alt }] of words.featured.entries()) {
    const film = films.nth(at);
    const link = film.getByRole("link", { name: title });
    await expect(link).toHaveAccessibleName(`${title} (film, ${length}, opens on another site)`);
    await expect(link).toHaveAttribute("href", href);
    await expect(link).toHaveAttribute("rel", /\bnoopener\b/);
    await expect(film.getByRole("img", { name: alt })).toHaveAttribute("loading", "lazy");
  }

  const quotes = section(page, "From two people I have worked with").getByRole("figure");
  await expect(quotes).toHaveCount(2);
  for (const [at, { quote, who }] of words.testimonials.entries()) {
    await expect(quotes.nth(at).locator("blockquote")).toHaveText(`“${quote}”`);
    await expect(quotes.nth(at).locator("figcaption")).toHaveText(who);
  }
}

test.use({ siteKind: "shared" });

test("Home says what the spec says, in its order", async ({ device }) => {
  const page = await device();
  const shifts = await openCalmly(page, "/");
  await expect(page.getByRole("heading", { level: 1 })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("link", { name: "Explore Courses" })).toBeInViewport({ ratio: 1 });
  await expectHome(page);
  expect(await shifts()).toBeLessThan(aHair);
  expect(await htmlWeight(page, "/")).toBeLessThan(firstFlight);
});

test("Home on a phone: nothing jumps, and the first words are on the first screen", async ({
  device,
}) => {
  const page = await device({ viewport: phone });
  const shifts = await openCalmly(page, "/");
  await expect(page.getByRole("link", { name: "Explore Courses" })).toBeInViewport({ ratio: 1 });
  expect(await shifts()).toBeLessThan(aHair);
});

for (const javaScriptEnabled of [true, false]) {
  const scripts = javaScriptEnabled ? "with" : "without";
  test(`${scripts} scripts, the Newsletter card leads to the form`, async ({ device }) => {
    const page = await device({ javaScriptEnabled, viewport: phone });
    await page.goto("/");
    await page.getByRole("link", { name: "Get the letter" }).click();
    await expect(page).toHaveURL("/#newsletter");
    const community = section(page, "Join Our Community");
    await expect(community.getByRole("heading")).toBeInViewport({ ratio: 1 });
    await expect(community).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(community.getByLabel("First name")).toBeFocused();
  });
}

test("the drawings turn to night with the page, also by hand", async ({ device }) => {
  const page = await device();
  await page.goto("/");
  await seeAllPictures(page);
  // Their middles: round the edges the page shows.
  const shots = async () => {
    const taken: Buffer[] = [];
    for (const picture of await page.getByRole("main").locator("img").all()) {
      await picture.scrollIntoViewIfNeeded();
      const box = await picture.boundingBox();
      if (!box) throw new Error("a picture without a place");
      const { x, y, width, height } = box;
      const clip = { x: x + width / 4, y: y + height / 4, width: width / 2, height: height / 2 };
      taken.push(await page.screenshot({ clip }));
    }
    return taken;
  };
  const atDay = await shots();
  expect(atDay).toHaveLength(4);
  await page.evaluate(() => scrollTo(0, 0));
  await page.getByRole("button", { name: "Theme: as the system" }).click();
  await page.getByRole("button", { name: "Theme: light" }).click();
  await expect(page.getByRole("button", { name: "Theme: night" })).toBeVisible();
  const atNight = await shots();
  for (const [at, shot] of atNight.entries()) expect(shot.equals(atDay[at] ?? shot)).toBe(false);
});

test("Home and About are the same for somebody signed in", async ({ site, device }) => {
  const page = await device({ as: await createStudent(site.services) });
  await page.goto("/", { waitUntil: "networkidle" });
  await expectHome(page);
  await page.goto("/about", { waitUntil: "networkidle" });
  await expect(page.getByRole("article").locator(".end-mark")).toHaveCount(1);
});
