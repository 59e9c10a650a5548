import type { Locator, Page, Route } from "@playwright/test";
import type { Services } from "~/platform/http/services.ts";
import { createCourse } from "../support/courses.ts";
import { createCoach } from "./support/lessons.ts";
import { look, screensFolder } from "./support/screen.ts";
import { endSessions, takeOver } from "./support/students.ts";
import { expect, phone, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

const named = (...titles: string[]) =>
  titles.map((title) => ({ title, slug: title.toLowerCase() }));

/** The page of a new course of three modules, once its rows can be dragged. */
async function openOutline(services: Services, page: Page) {
  const sketch = [named("Water", "Air", "Stone"), named("Fire"), []];
  const course = await createCourse(services, sketch, { title: "Elements" });
  const address = `/admin/courses/${course.id}`;
  await page.goto(address);
  await expect(handle(page, "Water")).toBeVisible();
  return { course, address };
}

/** The order as it is shown, module by module. */
const shown = (page: Page) =>
  page
    .locator(".outline-module")
    .evaluateAll((modules) =>
      modules.map((module) =>
        [...module.querySelectorAll(".outline-lesson .outline-title a")]
          .map(({ textContent }) => textContent)
          .join(" "),
      ),
    );

/** The page shows this order, and so does one that is opened now. */
async function expectOrder(page: Page, order: string[]) {
  await expect.poll(() => shown(page)).toEqual(order);
  const other = await page.context().newPage();
  await other.goto(page.url());
  expect(await shown(other)).toEqual(order);
  await other.close();
}

const handle = (page: Page, title: string) =>
  page.getByRole("button", { name: `Drag ${title}`, exact: true });
const status = (page: Page) => page.locator(".outline-status");
const lesson = (page: Page, title: string) => page.getByRole("link", { name: title, exact: true });

async function middle(target: Locator) {
  const box = await target.boundingBox();
  if (!box) throw new Error(`not on the screen: ${target}`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function drag(page: Page, from: Locator, to: Locator) {
  // The mouse reaches only what is in the window.
  await to.scrollIntoViewIfNeeded();
  await from.scrollIntoViewIfNeeded();
  const [start, end] = [await middle(from), await middle(to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(start.x, start.y + 8, { steps: 4 });
  await page.mouse.move(start.x, end.y, { steps: 12 });
  // The whole page would need a larger window, which ends the drag.
  await page.screenshot({ path: `${screensFolder}/admin-outline-dragging.png` });
  await page.mouse.up();
}

/** Presses an arrow until the new place is announced: dnd-kit ignores a key before it has measured
 * the rows, and a user would press again. */
async function moveTo(page: Page, arrow: string, announcement: string | RegExp) {
  const announced = page.locator("[id^=DndLiveRegion]");
  const before = await announced.textContent();
  await expect(async () => {
    if ((await announced.textContent()) === before) await page.keyboard.press(arrow);
    await expect(announced).toHaveText(announcement, { timeout: 1_000 });
  }).toPass({ timeout: 10_000 });
}

test("the order of a course by arrows, mouse, keyboard and touch", async ({
  site: { services },
  device,
}) => {
  const coach = await createCoach(services);
  const page = await device({ as: coach });

  await test.step("by arrows, over the edges of modules", async () => {
    await openOutline(services, page);
    await look(page, "admin-outline", { night: true, widths: [320, 360, 1280] });
    const down = page.getByRole("button", { name: "Move Water down" });
    await down.click();
    await down.click();
    await expect(status(page)).toHaveText("“Water” is 3 of 3 in “Module 1”.");
    await down.click();
    await expect(status(page)).toHaveText("“Water” is 1 of 2 in “Module 2”.");
    await expect(down).toBeFocused();
    await expectOrder(page, ["Air Stone", "Water Fire", ""]);
    await page.getByRole("button", { name: "Move Module 2 up" }).click();
    await expect(status(page)).toHaveText("“Module 2” is 1 of 3 modules.");
    await expectOrder(page, ["Water Fire", "Air Stone", ""]);
  });

  await test.step("into another module, where its slug is taken", async () => {
    const { course } = await openOutline(services, page);
    const [fire] = course.modules[1]?.lessons ?? [];
    const lessons = services.db.write.updateTable("lessons").set({ slug: "air" });
    await lessons.where("id", "=", fire?.id ?? "").execute();
    await page.getByLabel("Move Air to another module").click();
    await look(page, "admin-outline-move");
    await page.locator("details[open]").getByRole("button", { name: "Move" }).click();
    await expect(status(page)).toHaveText(
      "“Air” is 2 of 2 in “Module 2”. Its address there was taken; its slug is now “air-2”.",
    );
    await expectOrder(page, ["Water Stone", "Fire Air", ""]);
  });

  await test.step("by mouse", async () => {
    await openOutline(services, page);
    await drag(page, handle(page, "Stone"), lesson(page, "Water"));
    await expect(status(page)).toHaveText("“Stone” is 1 of 3 in “Module 1”.");
    await expectOrder(page, ["Stone Water Air", "Fire", ""]);
    await drag(page, handle(page, "Air"), page.getByText("No lessons yet."));
    await expect(status(page)).toHaveText("“Air” is 1 of 1 in “Module 3”.");
    await expectOrder(page, ["Stone Water", "Fire", "Air"]);
  });

  await test.step("by keyboard, announced to screen readers", async () => {
    await openOutline(services, page);
    const announced = page.locator("[id^=DndLiveRegion]");
    await handle(page, "Stone").focus();
    await page.keyboard.press("Space");
    await expect(announced).toHaveText("“Stone” is 3 of 3 in “Module 1”.");
    await moveTo(page, "ArrowUp", "“Stone” is 2 of 3 in “Module 1”.");
    await moveTo(page, "ArrowUp", "“Stone” is 1 of 3 in “Module 1”.");
    await page.keyboard.press("Space");
    await expect(status(page)).toHaveText("“Stone” is 1 of 3 in “Module 1”.");
    await expect(handle(page, "Stone")).toBeFocused();
    await expectOrder(page, ["Stone Water Air", "Fire", ""]);
    await handle(page, "Air").focus();
    await page.keyboard.press("Space");
    await expect(announced).toHaveText("“Air” is 3 of 3 in “Module 1”.");
    await moveTo(page, "ArrowDown", /in “Module 2”\.$/);
    await page.keyboard.press("Escape");
    await expect(announced).toHaveText("“Air” stays where it was.");
    await expectOrder(page, ["Stone Water Air", "Fire", ""]);
  });

  await test.step("by touch", async () => {
    const small = await device({ as: coach, viewport: phone, hasTouch: true, isMobile: true });
    await openOutline(services, small);
    await handle(small, "Stone").scrollIntoViewIfNeeded();
    const [start, end] = [
      await middle(handle(small, "Stone")),
      await middle(lesson(small, "Water")),
    ];
    const touch = await small.context().newCDPSession(small);
    const at = (y: number) => [{ x: start.x, y }];
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(start.y) });
    for (let step = 1; step <= 12; step += 1) {
      const y = start.y + ((end.y - start.y) * step) / 12;
      await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(y) });
    }
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await expect(status(small)).toHaveText("“Stone” is 1 of 3 in “Module 1”.");
    await expectOrder(small, ["Stone Water Air", "Fire", ""]);
  });
});

/** Holds the changes of the course that is opened until `release`; the first gets `answer`. */
async function hold(page: Page, answer: (route: Route) => Promise<void>) {
  const released = Promise.withResolvers<void>();
  const asked: string[] = [];
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.route("**/admin/courses/*.data*", async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    asked.push(route.request().postData() ?? "");
    await released.promise;
    return asked.length === 1 ? answer(route) : route.continue();
  });
  return { release: released.resolve, asked };
}

/** Presses a button with the keyboard, faster than React can show that the first was sent. */
async function pressAtOnce(page: Page, name: string, times: number) {
  await page.getByRole("button", { name, exact: true }).focus();
  await Promise.all(Array.from({ length: times }, () => page.keyboard.press("Enter")));
}

test("fast orders on a slow or broken network", async ({ site, device, watch }) => {
  const { services } = site;
  const coach = await createCoach(services);
  const page = await device({ as: coach });

  await test.step("arrow, arrow and drag, with the first answer long in coming", async () => {
    const { release, asked } = await hold(page, (route) => route.continue());
    await openOutline(services, page);
    await pressAtOnce(page, "Move Water down", 2);
    await drag(page, handle(page, "Fire"), page.getByText("No lessons yet."));
    expect(await shown(page)).toEqual(["Air Stone Water", "", "Fire"]);
    await expect(status(page)).toHaveText("Saving the order…");
    expect(asked).toHaveLength(1);
    release();
    await expect(status(page)).toHaveText("“Fire” is 1 of 1 in “Module 3”.");
    await expectOrder(page, ["Air Stone Water", "", "Fire"]);
    expect(asked).toHaveLength(3);
  });

  await test.step("pressed as fast as the keyboard goes, again and again", async () => {
    await page.unrouteAll();
    await openOutline(services, page);
    await pressAtOnce(page, "Move Module 1 down", 2);
    await expect(status(page)).toHaveText("“Module 1” is 3 of 3 modules.");
    await expectOrder(page, ["Fire", "", "Water Air Stone"]);
    await pressAtOnce(page, "Move Stone up", 3);
    await expect(status(page)).toHaveText("“Stone” is 1 of 1 in “Module 3”.");
    await expectOrder(page, ["Fire", "Stone", "Water Air"]);
  });

  await test.step("an answer that is lost after the order was stored", async () => {
    watch.expect(/^failed: POST/);
    const { release } = await hold(page, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await openOutline(services, page);
    await pressAtOnce(page, "Move Water down", 2);
    expect(await shown(page)).toEqual(["Air Stone Water", "Fire", ""]);
    release();
    await expect(toast(page, "Error")).toContainText("cannot be reached");
    await expectOrder(page, ["Air Water Stone", "Fire", ""]);
    await expect(status(page)).toContainText("is the one that is stored");
  });

  await test.step("a fault of the site takes back what follows too", async () => {
    watch.expect(/^answer 500: POST/);
    const { release, asked } = await hold(page, (route) => route.fulfill({ status: 500 }));
    await openOutline(services, page);
    await pressAtOnce(page, "Move Water down", 2);
    release();
    await expect(toast(page, "Error")).toContainText("Something went wrong on the site.");
    await expect.poll(() => shown(page)).toEqual(["Water Air Stone", "Fire", ""]);
    expect(asked).toHaveLength(1);
    await pressAtOnce(page, "Move Water down", 1);
    await expect(status(page)).toHaveText("“Water” is 2 of 3 in “Module 1”.");
    await expectOrder(page, ["Air Water Stone", "Fire", ""]);
  });

  await test.step("offline it is taken back, and another tab's order is not lost", async () => {
    await page.unrouteAll();
    const { address } = await openOutline(services, page);
    const other = await page.context().newPage();
    await other.goto(address);
    await expect(handle(other, "Water")).toBeVisible();
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Move Water down" }).click();
    await expect(toast(page, "Error")).toContainText("cannot be reached");
    await expect(status(page)).toContainText("could not be saved");
    expect(await shown(page)).toEqual(["Water Air Stone", "Fire", ""]);
    await page.context().setOffline(false);
    await other.getByRole("button", { name: "Move Stone up" }).click();
    await expect(status(other)).toHaveText("“Stone” is 2 of 3 in “Module 1”.");
    await page.getByRole("button", { name: "Move Water down" }).click();
    await expect(status(page)).toHaveText(/^“Water” is \d of 3 in “Module 1”\.$/);
    const order = await shown(page);
    expect(order.join(" ").trim().split(" ").toSorted()).toEqual(["Air", "Fire", "Stone", "Water"]);
    await expectOrder(page, order);
    await other.close();
  });

  await test.step("what waits is stored although the coach goes elsewhere", async () => {
    const { release, asked } = await hold(page, (route) => route.continue());
    const { address } = await openOutline(services, page);
    await pressAtOnce(page, "Move Water down", 2);
    await page.getByRole("link", { name: "Enrollments" }).click();
    await expect(page).toHaveURL("/admin/enrollments");
    release();
    await expect.poll(() => asked.length).toBe(2);
    const other = await page.context().newPage();
    await expect(async () => {
      await other.goto(address);
      expect(await shown(other)).toEqual(["Air Stone Water", "Fire", ""]);
    }).toPass();
  });

  await test.step("signed out meanwhile, the page waits with unsaved text for the next sign-in", async () => {
    await page.unrouteAll();
    const { address } = await openOutline(services, page);
    await page.getByLabel("Title").fill("Elements and ether");
    await endSessions(services, coach.id);
    // Whether the coach may have the page, or the page itself.
    const asked = page.waitForResponse((answer) => {
      const request = answer.request();
      return request.method() === "GET" && new URL(request.url()).pathname.startsWith(address);
    });
    await pressAtOnce(page, "Move Water down", 1);
    await expect(toast(page, "Error")).toContainText("You have been signed out");
    await asked;
    await takeOver(page, site, coach);
    await expect(status(page)).toContainText("is the one that is stored", { timeout: 30_000 });
    await expect(page).toHaveURL(address);
    await expect(page.getByLabel("Title")).toHaveValue("Elements and ether");
    expect(await shown(page)).toEqual(["Water Air Stone", "Fire", ""]);
  });
});
