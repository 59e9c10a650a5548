import { expect, type Page } from "@playwright/test";
import { toast } from "./test.ts";

export const blueDot = "/courses/blue-dot-method/learn";
export const calm = "/courses/seven-days-of-calm/learn";

/** The first lesson of Blue Dot that has two questions, and what follows it. */
export const firstLesson = "The point the needle rests on";
export const secondLesson = "Keys in the refrigerator";

export const keptLine = "What you wrote is saved as a draft. Only you can see it.";

export const box = (page: Page, number: number) => page.getByLabel(new RegExp(`^${number}\\. `));

export const heading = (page: Page) => page.getByRole("heading", { level: 1 });

export const lessons = (page: Page) => page.getByRole("navigation", { name: "Course lessons" });

/** Opens the player and waits until React has taken it over. */
export const openPlayer = (page: Page, address = blueDot) => openHydrated(page, address);

/** React leaves its own keys on what it has taken over: then a click is React's. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector("main") ?? {}).some((key) => key.startsWith("__reactFiber")),
  );
}

/** Opens a page, on which React then runs. */
export async function openHydrated(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await hydrated(page);
}

/** Opens a page whose scripts wait. @returns lets them load, and waits for React */
export async function openEarly(page: Page, address: string): Promise<() => Promise<void>> {
  const entry = /\/assets\/(entry\.client|grow-boxes)-.*\.js$/;
  const gate = Promise.withResolvers<void>();
  await page.route(entry, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto(address, { waitUntil: "commit" });
  return async () => {
    gate.resolve();
    await hydrated(page);
    await page.unroute(entry);
  };
}

/** Completes the open lesson, whichever of the two buttons does it. */
export async function complete(page: Page, says = "Lesson completed!"): Promise<void> {
  await page.getByRole("button", { name: /^(Mark as Complete|Complete Module)$/ }).click();
  await expect(toast(page, says)).toBeVisible();
}
