import type { Page } from "@playwright/test";
import {
  blueDot,
  calm,
  firstLesson,
  heading,
  hydrated,
  lessons,
  openPlayer,
  secondLesson,
} from "./support/player.ts";
import { createStudent, letDaysPass } from "./support/students.ts";
import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

test("the lesson is in the address: back, forward and reload keep it", async ({ site, device }) => {
  const page = await device({ as: await createStudent(site.services) });
  await openPlayer(page);
  await lessons(page).getByRole("link", { name: secondLesson }).click();
  await expect(heading(page)).toHaveText(secondLesson);
  await expect(page).toHaveURL(`${blueDot}?lesson=keys-in-the-refrigerator`);
  await expect(lessons(page).locator("[aria-current]")).toHaveText(secondLesson);
  await page.getByRole("link", { name: "Next Lesson" }).click();
  await expect(heading(page)).toHaveText("You are allowed to be bad at this");

  await page.goBack();
  await expect(heading(page)).toHaveText(secondLesson);
  await page.goBack();
  await expect(heading(page)).toHaveText(firstLesson);
  await page.goForward();
  await expect(heading(page)).toHaveText(secondLesson);
  await page.reload();
  await expect(heading(page)).toHaveText(secondLesson);
  await expect(page).toHaveTitle("The Blue Dot Method - Learn | Blue Dot");
  await hydrated(page);

  const copy = await page.context().newPage();
  await copy.goto(page.url());
  await expect(heading(copy)).toHaveText(secondLesson);
});

test("another lesson starts at its top", async ({ site, device }) => {
  const page = await device({ as: await createStudent(site.services) });
  await openPlayer(page);
  await page.getByRole("link", { name: "Next Lesson" }).click();
  await expect(heading(page)).toHaveText(secondLesson);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await expect(heading(page)).toBeInViewport();
});

/** What a film or recording in the page can do: how long it is, and where it is after a jump. */
async function jump(page: Page, element: "video" | "audio") {
  return page.locator(element).evaluate(async (media: HTMLMediaElement) => {
    const event = (name: string) =>
      new Promise((resolve) => media.addEventListener(name, resolve, { once: true }));
    if (media.readyState < HTMLMediaElement.HAVE_METADATA) await event("loadedmetadata");
    const seeked = event("seeked");
    media.currentTime = media.duration / 2;
    await seeked;
    return { half: media.duration / 2, at: media.currentTime };
  });
}

/** The first bytes of it, asked for as a player does. */
async function piece(page: Page, element: "video" | "audio") {
  return page.locator(element).evaluate(async (media: HTMLMediaElement) => {
    const response = await fetch(media.src, { headers: { Range: "bytes=100-199" } });
    const { byteLength } = await response.arrayBuffer();
    return { status: response.status, range: response.headers.get("content-range"), byteLength };
  });
}

// Browsers built without these codecs cannot play what every other one can.
const canPlay = (page: Page, type: string) =>
  page.evaluate((type) => document.createElement("video").canPlayType(type) !== "", type);

test("video and audio load, and can be sought in", async ({ site, device }) => {
  const student = await createStudent(site.services, {
    courses: ["blue-dot-method", "seven-days-of-calm"],
  });
  await letDaysPass(site.services, student.id, 1);
  const page = await device({ as: student });
  const cases = [
    [blueDot, "video", 'video/mp4; codecs="avc1.42E01E"'],
    [calm, "audio", 'audio/mp4; codecs="mp4a.40.2"'],
  ] as const;
  for (const [address, element, type] of cases) {
    await page.goto(address);
    // An audio has no picture: what is seen of it are its controls.
    await expect(page.locator(element)).toBeAttached();
    const { status, range, byteLength } = await piece(page, element);
    expect(status).toBe(206);
    expect(range).toMatch(/^bytes 100-199\/\d+$/);
    expect(byteLength).toBe(100);
    if (!(await canPlay(page, type))) continue;
    const { half, at } = await jump(page, element);
    expect(half).toBeGreaterThan(0);
    expect(at).toBeCloseTo(half, 1);
  }
});
