import type { Page } from "@playwright/test";
import { createAccount } from "../support/accounts.ts";
import { createCourse } from "../support/courses.ts";
import { createPerson } from "../support/people.ts";
import { openHydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { deliverLast, purchase, test } from "./support/shop.ts";
import { createStudent } from "./support/students.ts";
import { expect, toast } from "./support/test.ts";

const course = "/courses/blue-dot-method";
const label = "Enroll Now - $197";
const pending = "Your course is not open yet";

const enrollButton = (page: Page) =>
  page.getByRole("main").getByRole("button", { name: label }).first();

test("a visitor signs in, pays at Stripe and studies; a free course opens at once", async ({
  site,
  stripe,
  device,
}) => {
  const { email, password } = await createAccount(site.services);
  const page = await device();
  const main = page.getByRole("main");

  await test.step("signed out, the button leads to sign-in and back", async () => {
    await page.goto(course);
    await look(page, "course-sold", { night: true });
    await enrollButton(page).click();
    await expect(page).toHaveURL(`/auth?redirect=${course}`);
    await expect(toast(page, "Authentication required")).toContainText(
      "Please sign in to purchase this course.",
    );
    await page.getByLabel("Email", { exact: true }).fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign In", exact: true }).click();
    await expect(page).toHaveURL(course);
  });

  await test.step("Stripe's page leads back, by its link and by the browser's button", async () => {
    await enrollButton(page).click();
    await expect(page.getByRole("heading", { name: "Pay" })).toBeVisible();
    await expect(page.getByText("$197.00 for")).toBeVisible();
    await page.getByRole("link", { name: "Back" }).click();
    await expect(page).toHaveURL(course);
    await enrollButton(page).click();
    await expect(page.getByText("$197.00 for")).toBeVisible();
    await page.goBack();
    await expect(enrollButton(page)).toHaveAccessibleName(label);
  });

  await test.step("a paid course is open", async () => {
    await enrollButton(page).click();
    await page.getByRole("button", { name: "Pay by card" }).click();
    await expect(page).toHaveURL(/\/enrollment-success\?session_id=cs_test_/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Welcome to Your Course!");
    await expect(main.getByText("is open for you. Nothing has to happen today.")).toBeVisible();
    expect(stripe.account.sessions.size).toBe(1);
    await look(page, "checkout-paid");
    await page.getByRole("link", { name: "Go to the lessons" }).click();
    await expect(page).toHaveURL(new RegExp(`${course}/learn\\?lesson=`));
    await page.goto(course);
    await expect(main.getByRole("link", { name: "Continue Learning" }).first()).toBeVisible();
    await expect(main.getByText("You can have your $197.00 back until")).toBeVisible();
    await look(page, "checkout-enrolled");
  });

  await test.step("a free course opens without Stripe", async () => {
    const title = "One evening";
    const free = await createCourse(site.services, [[{}, {}]], { title, priceCents: 0 });
    await page.goto(`/courses/${free.slug}`);
    await expect(main.getByText("Free", { exact: true })).toBeVisible();
    await look(page, "course-free");
    await main.getByRole("button", { name: "Enroll Now", exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`/courses/${free.slug}/learn\\?lesson=`));
    await expect(toast(page, "Welcome to Your Course!")).toContainText(
      `“${title}” is open for you. Nothing has to happen today.`,
    );
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Lesson 1.1");
    expect(stripe.account.sessions.size).toBe(1);
  });
});

test("the enroll button is busy once; failed, slow and returned payments are explained", async ({
  site,
  stripe,
  device,
}) => {
  await test.step("the button says 'Processing...' until the page is left or stays", async () => {
    const page = await device();
    await page.clock.install();
    await page.goto(course);
    let presses = 0;
    await page.route(course, async (route) => {
      presses += 1;
      await route.fulfill({ status: 204 });
    });
    const button = page.getByRole("main").getByRole("button").first();
    await page.clock.pauseAt(Date.now() + 60_000);
    await button.click();
    await expect(button).toHaveAccessibleName("Processing...");
    await button.click();
    // axe waits for the clock.
    await page.clock.resume();
    await look(page, "checkout-processing", { widths: [360] });
    await page.clock.fastForward(10_000);
    await expect(button).toHaveAccessibleName(label);
    expect(presses).toBe(1);
  });

  const page = await device({ as: await createStudent(site.services, { courses: [] }) });

  await test.step("a checkout that cannot start", async () => {
    await page.goto("/courses/seven-days-of-calm");
    stripe.faults.plan("reset", { times: 4 });
    const button = page.getByRole("main").getByRole("button", { name: "Enroll Now" }).first();
    await button.click();
    await expect(toast(page, "Checkout failed")).toContainText(
      "Failed to start checkout. Please try again.",
    );
    await expect(page).toHaveURL("/courses/seven-days-of-calm");
    await look(page, "checkout-failed");
    stripe.faults.forget();
    await button.click();
  });

  await test.step("a payment that takes days", async () => {
    await page.getByRole("button", { name: "Pay by bank debit" }).click();
    await expect(page.getByText("Your payment is being processed.")).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(pending);
    await look(page, "checkout-waiting", { night: true });
  });

  await test.step("a payment that the coach has to look at, then its refund", async () => {
    await page.goto(course);
    await enrollButton(page).click();
    const session = [...stripe.account.sessions.values()].at(-1);
    Object.assign(session ?? {}, { currency: "eur" });
    await page.getByRole("button", { name: "Pay by card" }).click();
    await expect(page.getByText("I am looking at it by hand")).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(pending);
    stripe.account.refund({ payment_intent: session?.payment_intent });
    await deliverLast({ site, stripe }, "charge.refunded");
    await page.reload();
    await expect(page).toHaveURL(course);
    const returned = toast(page, "The money for this course has gone back");
    await expect(returned).toBeVisible();
    // Long enough to be read.
    await expect(returned).toHaveCSS("animation-delay", "0s, 30s");
    await look(page, "checkout-returned", { widths: [360] });
  });
});

test("the coach sees what is wrong at Stripe, enrolls, resolves and refunds", async ({
  site,
  stripe,
  device,
}) => {
  const shop = { site, stripe };
  const { db, clock } = site.services;
  const page = await device({
    as: await createPerson(site.services, { role: "admin", name: "Nora Hale" }),
  });
  const toPayments = page.getByRole("link", { name: /^Payments/ });
  const issue = (subject: string) => page.getByRole("article", { name: subject });
  const everyWidth = { widths: [320, 1280], night: true };

  await test.step("no payments, and a key that Stripe refuses", async () => {
    stripe.faults.plan(401, { times: Number.POSITIVE_INFINITY });
    await openHydrated(page, "/admin/payments");
    await expect(page.getByRole("heading", { name: "No payments yet" })).toBeVisible();
    await expect(page.getByText("Stripe does not accept this site’s key")).toBeVisible();
    await look(page, "payments-key-refused");
    stripe.faults.forget();
  });

  const { id } = await createCourse(site.services, [[{}]]);
  const setDeleted = (deletedAt: Date | null) =>
    db.write.updateTable("products").set({ deletedAt }).where("id", "=", id).execute();
  await purchase(shop, "Mary Anning", id);
  const disputed = stripe.account.dispute(await purchase(shop, "Grace Hopper", id));
  stripe.account.closeDispute(disputed.id, "lost");
  await deliverLast(shop, "charge.dispute.closed");
  await setDeleted(clock.now());
  await purchase(shop, "Ada Lovelace", id);
  await setDeleted(null);

  await test.step("the issues are counted on every page and listed first", async () => {
    await openHydrated(page, "/admin");
    await expect(toPayments).toHaveText("Payments2 need you");
    await toPayments.click();
    await expect(page.getByRole("row", { name: /Mary Anning/ })).toContainText("$197.00");
    await look(page, "payments-issues", everyWidth);
  });

  await test.step("one is resolved by enrolling, one by hand", async () => {
    const deleted = issue("A payment for a course that was deleted");
    await deleted.getByRole("button", { name: "Enroll Ada Lovelace" }).click();
    await expect(toast(page, "Enrolled")).toBeVisible();
    await expect(page.getByRole("link", { name: "Enrolled now" })).toBeVisible();
    await page.getByRole("link", { name: "Payments", exact: true }).first().click();
    await expect(page).toHaveURL("/admin/payments");
    await expect(deleted).toHaveCount(0);
    const lost = issue("A dispute was decided against you");
    await lost.getByRole("button", { name: "Mark as done" }).click();
    await expect(toast(page, "Marked as done")).toBeVisible();
    await expect(page.getByText("Nothing. A dispute, or a payment")).toBeVisible();
    await expect(toPayments).toHaveText("Payments");
    await look(page, "payments-done", { widths: [360, 1280], night: true });
  });

  await test.step("a payment is found and refunded beside its enrollment", async () => {
    await page.getByRole("searchbox", { name: "Search by name or email" }).fill("mary");
    await expect(page.getByRole("row", { name: /Ada Lovelace/ })).toHaveCount(0);
    await page.getByRole("link", { name: /^Open the payment of Mary Anning/ }).click();
    await expect(page.getByText("By the terms, this can be refunded until")).toBeVisible();
    await look(page, "payment", everyWidth);
    await page.getByLabel("Or only a part of it").fill("500");
    await page.getByRole("button", { name: "Refund a part" }).click();
    await expect(page.getByText("At most $197.00 can be refunded")).toBeVisible();
    await look(page, "refund-part-wrong", everyWidth);
    await page.getByLabel("Or only a part of it").fill("50");
    await page.getByRole("button", { name: "Refund a part" }).click();
    const part = page.getByRole("dialog", { name: "Refund $50.00?" });
    await expect(part).toContainText("$147.00 stays with you.");
    await look(page, "refund-part-question", everyWidth);
    await part.getByRole("button", { name: "Refund $50.00" }).click();
    await expect(toast(page, "Refunded")).toBeVisible();
    await expect(page.getByText("$50.00 of $197.00 went back")).toBeVisible();
    await expect(part).toBeHidden();
    await page.getByRole("link", { name: "Enrolled now" }).click();
    await expect(page).toHaveURL(/\/admin\/enrollments\/[\w-]{36}$/);
    const refund = page.getByRole("button", { name: "Refund $147.00" });
    await refund.click();
    const dialog = page.getByRole("dialog", { name: "Refund $147.00?" });
    await expect(dialog).toContainText("What Mary Anning completed and wrote there stays.");
    await look(page, "refund-question", everyWidth);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    expect(stripe.account.refunds.size).toBe(1);
    await refund.click();
    await dialog.getByRole("button", { name: "Refund $147.00" }).click();
    await expect(toast(page, "Refunded")).toBeVisible();
    await expect(page.getByText("Not enrolled now")).toBeVisible();
    await look(page, "payment-refunded", { widths: [360] });
    const refunds = [...stripe.account.refunds.values()];
    expect(refunds).toMatchObject([{ amount: 5000 }, { amount: 14700 }]);
  });
});
