import type { Page } from "@playwright/test";
import { newId } from "~/platform/db/ids.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent, givePassword, takeOver } from "./support/students.ts";
import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

const password = "Quiet Morning 1";

/** What a page has heard since, in order. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(globalThis, { heard });
    document.addEventListener("session", (event) =>
      heard.push((event as CustomEvent<{ change: string }>).detail.change),
    );
  });
  return () => page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard);
}

async function signIn(page: Page, email: string) {
  await page.goto("/auth");
  await hydrated(page);
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL("/my-courses");
}

/** A page that was hidden for long is looked at again. */
async function lookAgain(page: Page) {
  await page.clock.fastForward("06:00");
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
}

test("each tab hears who signs in and out, and the browser keeps no secret", async ({
  site,
  device,
}) => {
  const student = await createStudent(site.services);
  await givePassword(site.services, student.id, password);
  const reading = await device();
  await reading.goto("/about");
  const heard = await listen(reading);
  const tab = await reading.context().newPage();
  await signIn(tab, student.email);
  await expect.poll(heard).toEqual(["signed-in"]);

  const kept = await reading.evaluate(() => JSON.parse(localStorage.getItem("session") ?? ""));
  expect(kept).toEqual({
    userId: student.id,
    expiresAt: expect.any(String),
    factors: [],
    level: 1,
    since: expect.any(Number),
  });

  await tab.getByRole("button", { name: "Sign out" }).click();
  await expect(tab).toHaveURL("/");
  await expect.poll(heard).toEqual(["signed-in", "signed-out"]);
});

test("a second factor that was passed, and a session that was prolonged, are told", async ({
  site,
  device,
}) => {
  const student = await createStudent(site.services);
  const page = await device({ as: student });
  await page.clock.install();
  await page.goto("/my-courses");
  await hydrated(page);
  const other = await page.context().newPage();
  await other.goto("/about");
  const heard = await listen(other);
  const set = (values: { secondFactorAt?: Date; expiresAt?: Date }) =>
    site.services.db.write
      .updateTable("sessions")
      .set(values)
      .where("userId", "=", student.id)
      .execute();
  await set({ secondFactorAt: new Date() });
  await lookAgain(page);
  await expect.poll(heard).toEqual(["mfa-challenge-verified"]);
  await set({ expiresAt: new Date(Date.now() + 29.5 * 24 * 3600_000) });
  await lookAgain(page);
  await expect.poll(heard).toEqual(["mfa-challenge-verified", "token-refreshed"]);
});

test("a question that gets no answer is asked again after 200 ms times powers of two", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^failed: GET \/api\/session net::ERR_FAILED$/, /^answer 503: GET \/api\/session$/);
  const student = await createStudent(site.services);
  const page = await device({ as: student });
  await page.clock.install();
  await page.goto("/my-courses");
  await hydrated(page);
  // From here on time moves only when it is told to; not so far on that a question is due.
  await page.clock.pauseAt(Date.now() + 60_000);
  // A pause begins once the page has heard of the failure: time must not go on before.
  const pauses = await page.evaluateHandle(() => {
    const begun: (number | undefined)[] = [];
    const setTimer = window.setTimeout;
    window.setTimeout = ((work: () => void, ms?: number) => {
      begun.push(ms);
      return setTimer(work, ms);
    }) as typeof setTimeout;
    return begun;
  });
  let asked = 0;
  await page.route("/api/session", async (route) => {
    asked += 1;
    if (asked === 2) await route.fulfill({ status: 503, body: "" });
    else await route.abort();
  });
  await lookAgain(page);
  await expect.poll(() => asked).toBe(1);
  for (const [pause, soFar] of [
    [200, 2],
    [400, 3],
    [800, 4],
    [1600, 5],
  ] as const) {
    await expect.poll(() => pauses.evaluate((begun) => begun)).toContain(pause);
    await page.clock.runFor(pause - 20);
    expect(asked).toBe(soFar - 1);
    await page.clock.runFor(40);
    await expect.poll(() => asked).toBe(soFar);
  }
  // Nobody was signed out by that.
  await expect(page.getByRole("heading", { name: "My Courses" })).toBeVisible();
  await expect(page.getByRole("dialog")).toBeHidden();
});

test("a personal page is covered in every tab once its owner is signed out, and nothing is lost", async ({
  site,
  device,
}) => {
  const student = await createStudent(site.services);
  await givePassword(site.services, student.id, password);
  const page = await device();
  await signIn(page, student.email);
  const address = `/my-courses?${newId()}`;
  const tab = await page.context().newPage();
  await tab.goto(address);
  await hydrated(tab);
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL("/");
  const veil = tab.getByRole("dialog", { name: "You are signed out" });
  await expect(veil).toBeVisible();
  await look(tab, "session-veil", { night: true });
  await tab.keyboard.press("Escape");
  await tab.keyboard.press("Escape");
  await expect(veil).toBeVisible();

  await signIn(page, student.email);
  await expect(veil).toBeHidden();
  expect(tab.url()).toContain(address);
});

test("a page whose session was ended elsewhere is covered when it is looked at again", async ({
  site,
  device,
}) => {
  const student = await createStudent(site.services);
  const page = await device({ as: student });
  await page.clock.install();
  await page.goto("/my-courses");
  await hydrated(page);
  await site.services.db.write.deleteFrom("sessions").where("userId", "=", student.id).execute();
  await lookAgain(page);
  await expect(page.getByRole("dialog", { name: "You are signed out" })).toBeVisible();
});

test("somebody else who signs in on this browser does not read what was open", async ({
  site,
  device,
}) => {
  const first = await createStudent(site.services);
  const second = await createStudent(site.services);
  await givePassword(site.services, second.id, password);
  const page = await device({ as: first });
  await page.goto("/my-courses");
  await hydrated(page);
  const tab = await page.context().newPage();
  await tab.context().clearCookies();
  await signIn(tab, second.email);
  await expect(page.getByRole("dialog", { name: "Somebody else is signed in now" })).toBeVisible();
});

test("who signs out while a page is still on its way to life finds it covered all the same", async ({
  site,
  device,
}) => {
  const student = await createStudent(site.services);
  const page = await device({ as: student });
  const tab = await page.context().newPage();
  await tab.goto("/my-courses");
  await hydrated(tab);
  const held: (() => Promise<void>)[] = [];
  await page.route(/entry\.client.*\.js/, (route) => void held.push(() => route.continue()));
  await page.goto("/account", { waitUntil: "commit" });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your account");
  await expect.poll(() => held.length).toBeGreaterThan(0);
  await tab.getByRole("button", { name: "Sign out" }).click();
  await expect(tab).toHaveURL("/");
  await expect(page.locator("html")).toHaveAttribute("data-session", "out");
  for (const go of held) await go();
  await expect(page.getByRole("dialog", { name: "You are signed out" })).toBeVisible();
});

test("a journal that is open as a book goes with its owner", async ({ site, device }) => {
  const student = await createStudent(site.services);
  const page = await device({ as: student });
  await page.goto("/my-courses/journal/book");
  await expect(page.getByText(student.name, { exact: true })).toBeVisible();
  const tab = await page.context().newPage();
  await tab.goto("/my-courses");
  await tab.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL("/auth?redirect=/my-courses/journal/book");

  // Somebody else, without a sign-out between.
  const other = await createStudent(site.services);
  await takeOver(page, site, student);
  await page.goto("/my-courses/journal/book");
  await takeOver(tab, site, other);
  await tab.goto("/my-courses");
  await expect(page.locator("main")).toHaveAttribute("data-only-for", other.id);
});
