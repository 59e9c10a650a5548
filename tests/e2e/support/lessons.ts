import { expect, type Page } from "@playwright/test";
import type { Services } from "~/platform/http/services.ts";
import { createCourse, type TestLesson } from "../../support/courses.ts";
import { lessonRow } from "../../support/lessons.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { openHydrated } from "./player.ts";
import { toast } from "./test.ts";

/** Someone who writes the lessons. */
export const createCoach = (services: Services): Promise<Person> =>
  createPerson(services, { role: "admin", name: "Nora" });

/** A lesson with two questions, in a course of its own. */
export async function createLesson(services: Services, title = "Stones by the river") {
  const prompts = ["Where are you tonight?", "Who is there?"].map((question) => ({
    question,
    placeholder: "",
  }));
  const course = await createCourse(services, [[{ title, slug: "stones", prompts }]]);
  const { id, moduleId } = course.modules.flatMap(({ lessons }) => lessons)[0] as TestLesson;
  return { id, moduleId, path: `/admin/lessons/${id}`, stored: () => lessonRow(services, id) };
}

export const text = (page: Page) => page.getByRole("textbox", { name: "Text", exact: true });
export const field = (page: Page, name: string) =>
  page.getByLabel(name, { exact: true }).and(page.locator("input, select, textarea"));
export const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true });
export const create = (page: Page) => page.getByRole("button", { name: "Create lesson" });
export const preview = (page: Page) => page.getByRole("region", { name: "Preview" });
/** Of an offered draft, named by when it was typed. */
export const proceed = (page: Page) =>
  page.getByRole("link", { name: /^Continue: .*\d, \d+:\d\d [AP]M/ });
export const offer = (page: Page) => page.getByText(/^You were writing this on /);

/** Opens a page of the admin area and waits until React has taken it over. */
export async function openAdmin(page: Page, path: string): Promise<void> {
  await openHydrated(page, path);
}

export async function expectSavedAsDraft(page: Page): Promise<void> {
  await expect(page.getByText(/^Saved as a draft at \d+:\d\d/)).toBeVisible();
}

/** Saves a lesson. Waits for the answer: the toast may be that of an earlier save. */
export async function saveLesson(page: Page): Promise<void> {
  const answer = page.waitForResponse(
    (response) => response.request().method() === "POST" && response.url().includes(".data"),
  );
  await save(page).click();
  expect((await answer).status()).toBe(200);
  await expect(toast(page, "Lesson updated successfully")).toBeVisible();
}
