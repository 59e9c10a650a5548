import { expect, type Page } from "@playwright/test";
import type { Services } from "~/platform/http/services.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { hydrated } from "./player.ts";

/** Somebody who writes the lessons. */
export const createCoach = (services: Services): Promise<Person> =>
  createPerson(services, { role: "admin", name: "Nora" });

/** The sample lesson with two questions. */
export async function sampleLesson({ db }: Services) {
  return db.read
    .selectFrom("lessons")
    .selectAll()
    .where("slug", "=", "the-point-the-needle-rests-on")
    .executeTakeFirstOrThrow();
}

export const text = (page: Page) => page.getByRole("textbox", { name: "Text", exact: true });
export const field = (page: Page, name: string) =>
  page.getByLabel(name, { exact: true }).and(page.locator("input, select, textarea"));
export const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true });
export const create = (page: Page) => page.getByRole("button", { name: "Create lesson" });
export const preview = (page: Page) => page.getByRole("region", { name: "Preview" });
export const draftLine = (page: Page) => page.getByText(/^Saved as a draft at \d\d:\d\d/);
export const offer = (page: Page) => page.getByText(/^You were writing this on /);

/** Opens a page of the desk and waits until React has taken it over. */
export async function openDesk(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await hydrated(page);
}

export async function expectSavedAsDraft(page: Page): Promise<void> {
  await expect(draftLine(page)).toBeVisible();
}
