import type { Locator, Page } from "@playwright/test";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { createCourse } from "../support/courses.ts";
import { recordPayment } from "../support/payments.ts";
import { publicPages } from "../support/public-pages.ts";
import { createCoach } from "./support/lessons.ts";
import { dialog, opener } from "./support/newsletter.ts";
import { blueDot, box, complete, openPlayer } from "./support/player.ts";
import { expectNoSidewaysScroll, look } from "./support/screen.ts";
import { createStudent } from "./support/students.ts";
import { expect, phone, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

const narrow = { width: 320, height: 640 };
const endless = "Donaudampfschifffahrtsgesellschaftskapitän".repeat(4);
const long = `${"A title that goes on for longer than anybody planned ".repeat(4)}<b>& more</b>`;
const words = `${endless}\n\n🕯️👨‍👩‍👧‍👦💙 ${"🌊".repeat(60)}\n\nהיום היה יום ארוך מאוד, ואני מתגעגעת אליו.\n\n</script><b>not bold</b>`;
const content = `# ${endless}\n\n${endless}\n\n| a | b | c | d |\n|---|---|---|---|\n| ${endless} | b | c | d |\n\n\`\`\`\n${endless}\n\`\`\`\n\nhttps://example.com/${endless}\n\n> היום היה יום ארוך`;

/** Each public page once; those that fail show the frame that /404 shows. */
const pages = publicPages.filter(
  ({ pattern, path, alike, status }) =>
    !alike && pattern !== "/courses/:slug" && (path === "/404" || status !== 404),
);

test("320 px: nothing is wider than a small phone, whatever is written", async ({
  site,
  device,
}) => {
  const { services } = site;
  const student = await createStudent(services);
  const prompts = [{ question: `What about ${endless}?`, placeholder: endless }];
  const page = await device({ as: student, viewport: narrow });

  await test.step("titles and descriptions without end", async () => {
    for (const [at, title] of [endless, long].entries()) {
      const lesson = { title: `A lesson about ${title}`, content, prompts };
      const sketch = [[lesson, { title: long, dripDay: 365 }], []];
      const { id, slug } = await createCourse(services, sketch, { title });
      const course = services.db.write.updateTable("products").where("id", "=", id);
      await course.set({ description: `${long} ${endless} `.repeat(5) }).execute();
      await page.goto(`/courses/${slug}`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(title.trim());
      await look(page, `course-long-${at}`, { widths: [320, 768, 1280] });
      await enroll(services, { userId: student.id, productId: id });
      await openPlayer(page, `/courses/${slug}/learn`);
      await look(page, `player-long-${at}`, { widths: [320] });
      await page.getByRole("button", { name: "Lessons" }).click();
      await look(page, `drawer-long-${at}`, { widths: [320] });
    }
    for (const path of ["/courses", "/my-courses"]) {
      await page.goto(path);
      await look(page, `${path.slice(1)}-long`, { widths: [320, 1280] });
    }
  });

  await test.step("the coach's lists, with a buyer's name and course titles without end", async () => {
    const profile = services.db.write.updateTable("profiles").where("id", "=", student.id);
    await profile.set({ name: endless }).execute();
    const [enrollment] = await services.db.read
      .selectFrom("enrollments")
      .innerJoin("products", "products.id", "enrollments.productId")
      .select("productId")
      .where("userId", "=", student.id)
      .where("title", "=", endless)
      .execute();
    const productId = enrollment?.productId ?? "";
    await recordPayment(services, { userId: student.id, productId });
    const coach = await device({ as: await createCoach(services), viewport: narrow });
    for (const list of ["enrollments", "payments", "students"]) {
      await coach.goto(`/admin/${list}?q=${encodeURIComponent(student.email)}`);
      await expect(coach.getByRole("link", { name: endless }).first()).toBeVisible();
      await look(coach, `admin-${list}-long`, { widths: [320, 768, 1280] });
    }
  });

  await test.step("a journal without end", async () => {
    await openPlayer(page);
    await box(page, 1).fill(words);
    await look(page, "journal-long", { widths: [320] });
    await complete(page);
    await page.getByRole("link", { name: "Previous" }).click();
    await expect(page.getByText("</script><b>not bold</b>")).toBeVisible();
    await look(page, "journal-long-completed", { widths: [320] });
    // Writing from right to left starts at the right.
    const answer = page.getByText(endless).locator("xpath=ancestor-or-self::dd");
    await expect(answer).toHaveAttribute("dir", "auto");
  });
});

test("200 % zoom: everything is there, and nothing moves sideways", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 4\d\d: GET \//);
  const as = await createStudent(site.services);
  // A window of 1280 px that is zoomed to twice its size is 640 px wide for the page.
  const page = await device({ as, viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 });
  const signedIn = ["/my-courses", "/my-courses/journal", "/account", blueDot];
  for (const path of [...pages.map(({ path }) => path), ...signedIn]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectNoSidewaysScroll(page, `${path} at 200 %`);
  }
  await look(page, "zoomed-player", { widths: [640] });
});

/** Whether anything is painted in a part of the page, or in the first or last pixels of its lines. */
async function isPainted(
  part: Locator,
  only: { first?: number; last?: number } = {},
): Promise<boolean> {
  await part.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const wide = only.first ?? only.last ?? width;
  const left = only.last ? x + width - wide : x;
  const clip = { x: left, y, width: wide, height: height - 2 };
  const picture = (await part.page().screenshot({ clip })).toString("base64");
  return part.page().evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas?.drawImage(image, 0, 0);
    const { data = [] } = canvas?.getImageData(0, 0, image.width, image.height) ?? {};
    return data.some((value, at) => value !== data[at % 4]);
  }, picture);
}

test("forced colours: every sign is still there", async ({ site, device }) => {
  const as = await createStudent(site.services, { days: 9 });
  const page = await device({ as, forcedColors: "active", viewport: phone });
  // The checker of contrasts does not know these colours.
  const looking = { widths: [360], axe: false };
  await page.goto("/coaching");
  expect(await isPainted(page.locator(".site-header .dot"))).toBe(true);
  await page.getByRole("button", { name: "Menu" }).click();
  const menu = page.getByRole("navigation", { name: "Main" });
  const link = (name: string) => menu.getByRole("link", { name, exact: true });
  expect(await isPainted(link("Coaching"), { last: 8 })).toBe(true);
  expect(await isPainted(link("Courses"), { last: 8 })).toBe(false);
  await look(page, "forced-colours-menu", looking);
  await page.keyboard.press("Escape");
  expect(await isPainted(page.locator(".accordion-sign").last())).toBe(true);
  await opener(page).click();
  await expect(dialog(page)).toHaveCSS("border-top-width", "1px");
  await look(page, "forced-colours-dialog", looking);
  await page.goto("/my-courses");
  expect(await isPainted(page.getByRole("progressbar").first())).toBe(true);
  await openPlayer(page);
  await look(page, "forced-colours-player", looking);
  await complete(page);
  await page.getByRole("button", { name: "Lessons" }).click();
  // What is completed, what is shown, and what is locked.
  const rows = page.getByRole("navigation", { name: "Course lessons" }).locator("li > *");
  for (const row of [rows.first(), rows.nth(1), rows.last()])
    expect(await isPainted(row, { first: 28 })).toBe(true);
});

/** WCAG 1.4.12: what readers may set for themselves. */
const airy = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-bottom: 2em !important }`;

const cutOff = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("body *:not(svg, svg *)")]
      .filter((element) => {
        const { overflow } = getComputedStyle(element);
        const { clientHeight, clientWidth, scrollHeight, scrollWidth } = element;
        return (
          Math.min(clientHeight, clientWidth) > 1 &&
          overflow !== "visible" &&
          (scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1)
        );
      })
      .map(({ outerHTML }) => outerHTML.slice(0, 120)),
  );

// Other tests make courses with titles so long that the list of courses cuts them off on purpose.
test.describe("on a site on which no one writes", () => {
  test.use({ siteKind: "read" });
  test("text spacing: nothing is cut off", async ({ device, watch }) => {
    watch.expect(/^answer 4\d\d: GET \//);
    const page = await device();
    for (const { path } of pages) {
      await page.goto(path);
      await page.evaluate((css) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(css);
        document.adoptedStyleSheets = [sheet];
        for (const closed of document.querySelectorAll("details")) closed.open = true;
      }, airy);
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await expectNoSidewaysScroll(page, `${path} at ${width}, airy`);
        expect(await cutOff(page), `${path} at ${width}`).toEqual([]);
      }
    }
  });
});

test("reduced motion: dialogs appear and toasts stand still; otherwise they move", async ({
  device,
}) => {
  for (const reducedMotion of ["reduce", "no-preference"] as const) {
    const page = await device({ reducedMotion });
    const isStill = reducedMotion === "reduce";
    await page.goto("/");
    await opener(page).click();
    await expect(dialog(page)).toHaveCSS("transition-duration", isStill ? "0s" : /^0\.18s, /);
    await page.evaluate(() => {
      const detail = { title: "Hello", tone: "default" };
      document.dispatchEvent(new CustomEvent("toast", { detail, cancelable: true }));
    });
    const shown = page.locator(".toast").filter({ hasText: "Hello" });
    await expect(shown).toBeVisible();
    await expect(shown).toHaveCSS("animation-duration", isStill ? "1e-05s" : "0.22s, 0.4s");
    // It is gone after ten seconds all the same.
    await expect(shown).toHaveCSS("animation-delay", "0s, 10s");
  }
});

test("print: what can be pressed or filled in is left out", async ({ site, device }) => {
  const page = await device({ as: await createStudent(site.services, { days: 9 }) });
  for (const path of ["/courses/blue-dot-method", "/my-courses", blueDot]) {
    await page.goto(path);
    await page.emulateMedia({ media: "print" });
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    for (const role of ["button", "banner", "contentinfo"] as const)
      await expect(page.getByRole(role)).toHaveCount(0);
    // Firefox prints their lines as bands over the words.
    for (const sheet of await page.locator(".journal").all())
      await expect(sheet).toHaveCSS("background-image", "none");
    await look(page, `paper${path.replaceAll("/", "-")}`, { axe: false, widths: [718] });
    await page.emulateMedia({ media: null });
  }
});

test("touch: what can be touched is large enough", async ({ device }) => {
  const page = await device({ viewport: narrow, hasTouch: true });
  await page.goto("/about");
  const small = () =>
    page.locator("a, button, input").evaluateAll((all) =>
      all
        .filter((element) => element.checkVisibility({ visibilityProperty: true }))
        .filter((element) => !element.closest("p, .honeypot, .skip-link, main"))
        .map((element) => {
          // A small button reaches beyond what is seen of it.
          const reach = Number.parseFloat(getComputedStyle(element, "::after").minHeight) || 0;
          const { width, height } = element.getBoundingClientRect();
          return { what: element.outerHTML.slice(0, 90), width, height: Math.max(height, reach) };
        })
        .filter(({ width, height }) => width < 44 || height < 44),
    );
  expect(await small()).toEqual([]);
  await page.getByRole("button", { name: "Menu" }).click();
  expect(await small()).toEqual([]);
  await page.keyboard.press("Escape");
  await opener(page).click();
  expect(await small()).toEqual([]);
});
