import type { Page } from "@playwright/test";
import { createAccount } from "../support/accounts.ts";
import { createPerson } from "../support/people.ts";
import { write } from "./support/journal.ts";
import { openHydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent, endSessions, signIn, takeOver } from "./support/students.ts";
import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

/** What a page hears from now on, in order. */
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

/** A page that was hidden for long is looked at again. */
async function lookAgain(page: Page) {
  await page.clock.fastForward("06:00");
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
}

async function signInAsOther(page: Page, email: string) {
  await openHydrated(page, "/auth");
  await signIn(page, email);
  await expect(page).toHaveURL("/my-courses");
}

async function signOut(page: Page) {
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL("/");
}

async function expectHeader(page: Page, shown: "Log In" | "My Courses") {
  const menu = page.getByRole("navigation", { name: "Main" });
  for (const name of ["Log In", "My Courses"])
    await expect(menu.getByRole("link", { name })).toBeVisible({ visible: name === shown });
}

const cover = (page: Page, name = "You are signed out") => page.getByRole("dialog", { name });
const storage = (page: Page) => page.evaluate(() => ({ ...localStorage }));

test("sessions: tabs hear sign-in and sign-out; the browser stores no secret", async ({
  site,
  device,
  watch,
}) => {
  const { services } = site;
  const account = await createAccount(services);
  const reading = await device({ timezoneId: "Pacific/Auckland" });
  const tab = await reading.context().newPage();
  const heard = await test.step("before a sign-in nothing is stored", async () => {
    await reading.goto("/courses/blue-dot-method");
    await expectHeader(reading, "Log In");
    expect(await reading.context().cookies()).toEqual([]);
    return listen(reading);
  });

  await test.step("an open page shows a sign-in in another tab without a request", async () => {
    // The time zone goes with the first request for a page of one's own.
    const own = tab.waitForRequest((asked) => asked.url().includes("/my-courses"));
    await signInAsOther(tab, account.email);
    expect((await (await own).allHeaders()).cookie).toContain("tz=Pacific%2FAuckland");
    await expectHeader(tab, "My Courses");
    await expectHeader(reading, "My Courses");
    await expect.poll(heard).toEqual(["signed-in"]);
    const { session = "", ...rest } = await storage(reading);
    expect(rest).toEqual({});
    expect(JSON.parse(session)).toEqual({
      userId: account.id,
      expiresAt: expect.any(String),
      factors: [],
      level: 1,
      since: expect.any(Number),
    });
  });

  await test.step("and so it does a sign-out; text stays on the device, cached files go", async () => {
    watch.expect(/^failed: GET \/assets\/.*ERR_CACHE_MISS$/);
    await tab.evaluate(() => localStorage.setItem("text-on-this-device", "A long evening."));
    /** Whether a file that may be cached permanently is in the browser's cache. */
    const isCached = () =>
      tab.evaluate(async () => {
        const style = document.querySelector<HTMLLinkElement>('link[rel="stylesheet"]');
        const asked = fetch(style?.href ?? "", { cache: "only-if-cached", mode: "same-origin" });
        return asked.then(({ ok }) => ok).catch(() => false);
      });
    expect(await isCached()).toBe(true);
    const cleared = tab.waitForResponse((answer) => answer.url().endsWith("/api/clear-cache"));
    await signOut(tab);
    await expect(tab.getByText("You are signed out.").first()).toBeVisible();
    expect((await cleared).status()).toBe(204);
    await expect.poll(isCached).toBe(false);
    for (const page of [tab, reading]) await expectHeader(page, "Log In");
    await expect.poll(heard).toEqual(["signed-in", "signed-out"]);
    await reading.reload();
    await expectHeader(reading, "Log In");
    expect(await storage(reading)).toEqual({ "text-on-this-device": "A long evening." });
  });

  await test.step("a session that has ended is forgotten with the next page", async () => {
    await takeOver(tab, site, { ...account, name: "Ada" });
    await tab.goto("/about");
    for (const page of [tab, reading]) await expectHeader(page, "My Courses");
    await endSessions(services, account.id);
    await tab.goto("/coaching");
    for (const page of [tab, reading]) await expectHeader(page, "Log In");
  });
});

test("sessions: a page asks again, and hears of two-factor and of a longer session", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(/^failed: GET \/api\/session net::ERR_FAILED$/, /^answer 503: GET \/api\/session$/);
  const student = await createPerson(services);
  const page = await device({ as: student });
  await page.clock.install();
  await openHydrated(page, "/my-courses");

  await test.step("two-factor and a prolonged session reach other tabs", async () => {
    const other = await page.context().newPage();
    await other.goto("/about");
    const heard = await listen(other);
    const update = (values: { secondFactorAt?: Date; expiresAt?: Date }) =>
      services.db.write
        .updateTable("sessions")
        .set(values)
        .where("userId", "=", student.id)
        .execute();
    await update({ secondFactorAt: new Date() });
    await lookAgain(page);
    await expect.poll(heard).toEqual(["mfa-challenge-verified"]);
    await update({ expiresAt: new Date(Date.now() + 29.5 * 24 * 3600_000) });
    await lookAgain(page);
    await expect.poll(heard).toEqual(["mfa-challenge-verified", "token-refreshed"]);
    await other.close();
  });

  await test.step("without an answer it asks again after 200 ms times powers of two", async () => {
    await openHydrated(page, "/my-courses");
    // From here on time moves only when it is told to; not so far on that a question is due.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
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
    for (const [index, pause] of [200, 400, 800, 1600].entries()) {
      await expect.poll(() => pauses.evaluate((begun) => begun)).toContain(pause);
      await page.clock.runFor(pause - 20);
      expect(asked).toBe(index + 1);
      await page.clock.runFor(40);
      await expect.poll(() => asked).toBe(index + 2);
    }
    // Nobody was signed out by that.
    await expect(page.getByRole("heading", { name: "My Courses" })).toBeVisible();
    await expect(page.getByRole("dialog")).toBeHidden();
  });
});

test("sessions: private pages are covered after sign-out, also on paper", async ({
  site,
  device,
}) => {
  const { services } = site;
  const student = await createStudent(services);
  const other = await createAccount(services);
  const answer = "I talk to him when I drive.";
  await write(services, student.id, [[answer]]);
  const page = await device({ as: student });
  const tab = await page.context().newPage();
  const change = tab.getByRole("link", { name: /^Change/ }).first();
  const selected = () =>
    tab.evaluate(() => {
      getSelection()?.selectAllChildren(document.body);
      return String(getSelection());
    });
  await openHydrated(page, "/my-courses");
  await openHydrated(tab, "/my-courses/journal?from=here");
  expect(await selected()).toContain(answer);
  await change.focus();
  const title = await tab.title();

  await test.step("covered in every tab, and Escape does not uncover it", async () => {
    await signOut(page);
    await expect(cover(tab)).toBeVisible();
    await look(tab, "session-veil", { widths: [1280], night: true });
    for (let presses = 0; presses < 2; presses += 1) await tab.keyboard.press("Escape");
    await expect(cover(tab)).toBeVisible();
    await expect(tab).toHaveTitle("You are signed out | Blue Dot");
  });

  await test.step("it is not printed, searched, selected or read aloud", async () => {
    for (const media of ["print", "screen"] as const) {
      await tab.emulateMedia({ media });
      await expect(tab.getByText("What you typed here is still here.")).toBeVisible();
      await expect(tab.getByText(answer)).toBeHidden();
      expect(await selected(), media).not.toContain(answer);
      expect(await tab.locator("body").ariaSnapshot(), media).not.toContain(answer);
    }
    await tab.emulateMedia({ media: null });
    const sheets = (await tab.pdf()).toString("latin1").match(/\/Type \/Page\b/g);
    expect(sheets).toHaveLength(1);
  });

  await test.step("its user signs in again and finds everything as it was", async () => {
    await takeOver(page, site, student);
    await page.goto("/my-courses");
    await expect(tab.getByText(answer)).toBeVisible();
    await expect(cover(tab)).toBeHidden();
    await expect(change).toBeFocused();
    await expect(tab).toHaveTitle(title);
    expect(tab.url()).toContain("/my-courses/journal?from=here");
  });

  await test.step("a page that arrives after the sign-out in another tab is covered", async () => {
    await openHydrated(page, "/my-courses");
    await tab.route("**/account", async (route) => {
      const response = await route.fetch();
      await signOut(page);
      await route.fulfill({ response });
    });
    await tab.goto("/account");
    await expect(tab.locator("html")).toHaveAttribute("data-session", "out");
    await expect(cover(tab)).toBeVisible();
  });

  await test.step("a journal that is open as a book goes with its owner", async () => {
    const book = "/my-courses/journal/book";
    await takeOver(page, site, student);
    await tab.goto(book);
    await expect(tab.getByText(student.name, { exact: true })).toBeVisible();
    await page.goto("/my-courses");
    await signOut(page);
    await expect(tab).toHaveURL(`/auth?redirect=${book}`);
    // Another user, without a sign-out between.
    await takeOver(page, site, student);
    await tab.goto(book);
    await takeOver(page, site, { ...other, name: "Grace" });
    await page.goto("/my-courses");
    await expect(tab.locator("main")).toHaveAttribute("data-only-for", other.id);
  });

  await test.step("another user who signs in on this browser does not read what is open", async () => {
    await takeOver(page, site, student);
    await openHydrated(page, "/my-courses");
    await page.context().clearCookies();
    // The book in the other tab goes with its owner, and would break off a visit there.
    await signInAsOther(await page.context().newPage(), other.email);
    await expect(cover(page, "Somebody else is signed in now")).toBeVisible();
  });

  await test.step("a session that was ended elsewhere is noticed when the page is looked at", async () => {
    const own = await device({ as: student });
    await own.clock.install();
    await openHydrated(own, "/my-courses");
    await endSessions(services, student.id);
    await lookAgain(own);
    await expect(cover(own)).toBeVisible();
  });
});
