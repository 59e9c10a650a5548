import type { Locator, Page } from "@playwright/test";
import { createCourse } from "../../support/courses.ts";
import { createPerson } from "../../support/people.ts";
import { screensFolder } from "./screen.ts";
import type { RunningSite } from "./site.ts";

const named = (...titles: string[]) =>
  titles.map((title) => ({ title, slug: title.toLowerCase().replaceAll(" ", "-") }));

/** A course of three modules, and its coach. */
export async function prepareOutline({ services }: RunningSite) {
  const course = await createCourse(services, [named("Water", "Air", "Stone"), named("Fire"), []], {
    title: "Elements",
  });
  return { course, coach: await createPerson(services, { role: "admin" }) };
}

/** The order as it is shown, module by module. */
export async function shown(page: Page): Promise<string[]> {
  return page
    .locator(".outline-module")
    .evaluateAll((modules) =>
      modules.map((module) =>
        [...module.querySelectorAll(".outline-lesson .outline-title a")]
          .map(({ textContent }) => textContent)
          .join(" "),
      ),
    );
}

/** The order as it is stored: what a page that is opened now shows. */
export async function stored(page: Page) {
  const other = await page.context().newPage();
  await other.goto(page.url());
  const order = await shown(other);
  await other.close();
  return order;
}

export const handle = (page: Page, title: string) =>
  page.getByRole("button", { name: `Drag ${title}`, exact: true });
export const status = (page: Page) => page.locator(".outline-status");

export async function middle(target: Locator) {
  const box = await target.boundingBox();
  if (!box) throw new Error("it is not to be seen");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

export async function drag(page: Page, from: Locator, to: Locator) {
  const [start, end] = [await middle(from), await middle(to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(start.x, start.y + 8, { steps: 4 });
  await page.mouse.move(start.x, end.y, { steps: 12 });
  // The whole page would need a larger window, and whoever drags lets go then.
  await page.screenshot({ path: `${screensFolder}/admin-outline-dragging.png` });
  await page.mouse.up();
}
