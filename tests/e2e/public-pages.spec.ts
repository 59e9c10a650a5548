import type { Page } from "@playwright/test";
import { unsubscribeUrl } from "~/features/newsletter/subscribers.server.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { publicPages } from "../support/public-pages.ts";
import { walk } from "./support/keyboard.ts";
import { expectNoSidewaysScroll, look } from "./support/screen.ts";
import { aHair, openCalmly } from "./support/steady-page.ts";
import { expect, phone, test } from "./support/test.ts";
import { startWeighing } from "./support/weigh.ts";

test.use({ siteKind: "read" });

type Shown = { name: string; status?: number; heading: string; path(services: Services): string };

/** Each public page, and what a good link of the newsletter's emails opens. */
const shown: Shown[] = [
  ...publicPages
    .filter(({ alike }) => !alike)
    .map(({ path, status, title, heading = title }) => ({
      ...{ name: path, status, heading, path: () => path },
    })),
  {
    name: "/newsletter/unsubscribe with a good link",
    heading: "Shall I stop writing?",
    path: (services) => unsubscribeUrl(services, newId()),
  },
];

/** CSS pixels; 640 is a window of 1280 at 200 %. */
const widths = [320, 360, 640, 768, 1280];
const kib = 1024;

/** The line of the last word, and the mark at the story's end: their distance in heights of the mark. */
const distanceOfEndMark = (page: Page) =>
  page.locator(".end-mark").evaluate((mark) => {
    const words = document.createRange();
    words.selectNode(mark.previousSibling ?? mark);
    const { bottom, height } = mark.getBoundingClientRect();
    return Math.abs(([...words.getClientRects()].at(-1)?.bottom ?? 0) - bottom) / height;
  });

/** Words that are to be seen, as one line. */
const wordsSeen = async (page: Page) =>
  // biome-ignore lint/performance/useDomNodeTextContent: hidden words do not count
  (await page.getByRole("main").innerText()).replaceAll(/\s+/g, " ").trim();

for (const { name, status = 200, heading, path } of shown)
  test(`${name}`, async ({ site, device, watch }) => {
    const address = path(site.services);
    if (status !== 200) watch.expect(new RegExp(`^answer ${status}: GET /`));
    const isAuth = address.startsWith("/auth");
    const isLong = ["/", "/about"].includes(address);
    const page = await device();

    await test.step("does not move, is light, and leaves nothing on the device", async () => {
      const weighed = startWeighing(page);
      const shifts = await openCalmly(page, address);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText([heading]);
      expect(await shifts()).toBeLessThan(aHair);
      const { script, font } = await weighed();
      expect(font).toBeGreaterThan(0);
      // A course's title may need the file with the rarer characters.
      expect(font).toBeLessThanOrEqual(33_000);
      // The sign-in pages hydrate, and store the time zone.
      if (isAuth) return;
      expect(script).toBeLessThanOrEqual(6 * kib);
      expect(await page.context().cookies()).toEqual([]);
      expect(await page.evaluate(() => [{ ...localStorage }, { ...sessionStorage }])).toEqual([
        {},
        {},
      ]);
    });

    await test.step("every link and button is reached with Tab, and shows it", async () => {
      // Header and footer are the same on every page.
      expect(await walk(page, address === "/" ? undefined : "main")).toEqual([]);
    });

    await test.step("looks right by day and at night", async () => {
      await look(page, `public-${name.replaceAll(/\W+/g, "-")}`, { widths: [1280], night: true });
    });

    if (isAuth)
      await test.step("says the same without scripts, which hydrate it", async () => {
        const plain = await device({ viewport: phone, javaScriptEnabled: false });
        await plain.goto(address);
        await page.setViewportSize(phone);
        // A passkey cannot be asked for without a script.
        await page.evaluate(() => {
          for (const one of document.querySelectorAll<HTMLElement>("main .needs-scripts"))
            one.style.display = "none";
        });
        expect(await wordsSeen(plain)).toBe(await wordsSeen(page));
      });

    await test.step("fits every width", async () => {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        await expectNoSidewaysScroll(page, `${name} at ${width}`);
        if (address === "/about") expect(await distanceOfEndMark(page)).toBeLessThan(2);
      }
    });

    if (isLong)
      await test.step("on a phone nothing jumps, and the first words are in sight", async () => {
        const small = await device({ viewport: phone });
        const shifts = await openCalmly(small, address);
        await expect(small.getByRole("heading", { level: 1 })).toBeInViewport({ ratio: 1 });
        if (address === "/")
          await expect(small.getByRole("link", { name: "Explore Courses" })).toBeInViewport({
            ratio: 1,
          });
        expect(await shifts()).toBeLessThan(aHair);
      });
  });
