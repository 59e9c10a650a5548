import type { Page } from "@playwright/test";
import { goodPassword } from "../support/accounts.ts";
import { createCourse } from "../support/courses.ts";
import { type StripeServer, startStripe } from "../support/stripe/server.ts";
import { look } from "./support/screen.ts";
import { createStudent, givePassword } from "./support/students.ts";
import { test as base, expect, phone, toast } from "./support/test.ts";

const everywhere = { widths: [360, 1280], night: true };
const slug = "blue-dot-method";
const label = "Enroll Now - $197";
const notOpen = "Your course is not open yet";

/** A site that sells both courses, and what stands for Stripe. */
const test = base.extend<{ stripe: StripeServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: the first argument names what it needs
  stripe: async ({}, use) => {
    const stripe = await startStripe();
    await use(stripe);
    await stripe.close();
  },
  settings: async ({ stripe }, use) => use({ ...stripe.env, COMING_SOON: "none" }),
});

const enroll = (page: Page) => page.getByRole("main").getByRole("button", { name: label }).first();

test("from the button to the first lesson: pay, come back, begin", async ({
  site,
  stripe,
  device,
}) => {
  const page = await device({ as: await createStudent(site.services, { courses: [] }) });
  // What the button says once it is pressed; what a page stores as it is left may come too late.
  const said: string[] = [];
  await page.exposeFunction("hear", (words: string) => said.push(words));
  await page.addInitScript(() => {
    addEventListener("submit", () => {
      const button = document.querySelector<HTMLElement>("main [aria-busy=true]");
      const { hear } = globalThis as unknown as { hear: (words: string) => void };
      // biome-ignore lint/performance/useDomNodeTextContent: of its two labels, the visible one
      hear(button?.innerText ?? "");
    });
  });
  await page.goto(`/courses/${slug}`);
  await enroll(page).click();
  await expect(page.getByRole("heading", { name: "Pay" })).toBeVisible();
  await expect(page.getByText("$197.00 for")).toBeVisible();

  await page.goBack();
  await expect(enroll(page)).toHaveAccessibleName(label);
  await expect.poll(() => said[0]).toBe("Processing...");
  await enroll(page).click();
  await page.getByRole("button", { name: "Pay by card" }).click();
  await expect(page).toHaveURL(/\/enrollment-success\?session_id=cs_test_/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Welcome to Your Course!");
  await expect(page.getByText("is open for you. Nothing has to happen today.")).toBeVisible();
  expect(stripe.account.sessions.size).toBe(1);
  await look(page, "checkout-paid", everywhere);
  await page.getByRole("link", { name: "Go to the lessons" }).click();
  await expect(page).toHaveURL(`/courses/${slug}/learn`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

  await page.goto(`/courses/${slug}`);
  await expect(page.getByRole("link", { name: "Continue Learning" }).first()).toBeVisible();
  await expect(page.getByText("You can have your $197.00 back until")).toBeVisible();
  await look(page, "checkout-enrolled", everywhere);
});

for (const javaScriptEnabled of [true, false])
  test(`a free course: one press, and its lessons are open, ${javaScriptEnabled ? "with" : "without"} scripts`, async ({
    site,
    stripe,
    device,
  }) => {
    const title = "One evening";
    const free = await createCourse(site.services, [[{}, {}]], { title, priceCents: 0 });
    const as = await createStudent(site.services, { courses: [] });
    const page = await device({ as, javaScriptEnabled });
    const axe = javaScriptEnabled;
    await page.goto(`/courses/${free.slug}`);
    const main = page.getByRole("main");
    await expect(main.getByText("Free", { exact: true })).toBeVisible();
    await expect(main.getByText("One-time payment")).toHaveCount(0);
    await expect(main.getByText("money back")).toHaveCount(0);
    await look(page, `course-free-${axe}`, { axe, night: axe });
    await main.getByRole("button", { name: "Enroll Now", exact: true }).click();
    await expect(page).toHaveURL(`/courses/${free.slug}/learn`);
    await expect(toast(page, "Welcome to Your Course!")).toContainText(
      `“${title}” is open for you. Nothing has to happen today.`,
    );
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Lesson 1.1");
    await look(page, `course-free-opened-${axe}`, { axe, night: axe });
    expect(stripe.account.sessions.size).toBe(0);

    await page.goto(`/courses/${free.slug}`);
    await expect(main.getByText("Already Enrolled")).toBeVisible();
    await expect(main.getByText("Free", { exact: true })).toHaveCount(0);
    await expect(main.getByText("money back")).toHaveCount(0);
    await look(page, `course-free-enrolled-${axe}`, { axe, night: axe });
  });

test("what the coach must look at first, and money that has gone back, are said as they are", async ({
  site,
  stripe,
  device,
}) => {
  const page = await device({ as: await createStudent(site.services, { courses: [] }) });
  await page.goto(`/courses/${slug}`);
  await enroll(page).click();
  const [session] = stripe.account.sessions.values();
  Object.assign(session ?? {}, { currency: "eur" });
  await page.getByRole("button", { name: "Pay by card" }).click();
  await expect(page.getByText("I am looking at it by hand")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(notOpen);
  await look(page, "checkout-attention", everywhere);

  const intent = String(session?.payment_intent);
  stripe.account.refund({ payment_intent: intent });
  const refunded = stripe.account.events.findLast(({ type }) => type === "charge.refunded");
  if (!refunded) throw new Error("Stripe tells of no refund");
  await stripe.deliver(refunded, site.url);
  await page.reload();
  await expect(page).toHaveURL(`/courses/${slug}`);
  const goneBack = toast(page, "The money for this course has gone back");
  await expect(goneBack).toBeVisible();
  // Long enough to be read.
  await expect(goneBack).toHaveCSS("animation-delay", "0s, 30s");
  await look(page, "checkout-returned");
});

test("thinking better of it leads back to the course's page", async ({ site, device }) => {
  const page = await device({ as: await createStudent(site.services, { courses: [] }) });
  await page.goto(`/courses/${slug}`);
  await enroll(page).click();
  await page.getByRole("link", { name: "Back" }).click();
  await expect(page).toHaveURL(`/courses/${slug}`);
  await expect(enroll(page)).toHaveAccessibleName(label);
});

test("signed out: sign in, come back, buy", async ({ site, device }) => {
  const { id, email } = await createStudent(site.services, { courses: [] });
  await givePassword(site.services, id, goodPassword);
  const page = await device();
  await page.goto(`/courses/${slug}`);
  await enroll(page).click();
  await expect(page).toHaveURL(`/auth?redirect=/courses/${slug}`);
  await expect(toast(page, "Authentication required")).toContainText(
    "Please sign in to purchase this course.",
  );
  await look(page, "checkout-sign-in");
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(goodPassword);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  await expect(page).toHaveURL(`/courses/${slug}`);
  await enroll(page).click();
  await page.getByRole("button", { name: "Pay by card" }).click();
  await expect(page.getByText("is open for you.")).toBeVisible();
});

test("without scripts it is the same way", async ({ site, device }) => {
  const page = await device({
    as: await createStudent(site.services, { courses: [] }),
    javaScriptEnabled: false,
    viewport: phone,
  });
  await page.goto(`/courses/${slug}`);
  await enroll(page).click();
  await page.getByRole("button", { name: "Pay by card" }).click();
  await expect(page.getByText("is open for you.")).toBeVisible();
  await page.getByRole("link", { name: "Go to the lessons" }).click();
  await expect(page).toHaveURL(`/courses/${slug}/learn`);
});

test("a slow payment is said to be on its way, and a failed start to have failed", async ({
  site,
  stripe,
  device,
}) => {
  const page = await device({ as: await createStudent(site.services, { courses: [] }) });
  await page.goto("/courses/seven-days-of-calm");
  stripe.faults.plan("reset", { times: 4 });
  const button = page.getByRole("main").getByRole("button", { name: "Enroll Now" }).first();
  await button.click();
  await expect(toast(page, "Checkout failed")).toContainText(
    "Failed to start checkout. Please try again.",
  );
  await look(page, "checkout-failed");
  await expect(page).toHaveURL("/courses/seven-days-of-calm");
  stripe.faults.forget();
  await button.click();
  await page.getByRole("button", { name: "Pay by bank debit" }).click();
  await expect(page.getByText("Your payment is being processed.")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(notOpen);
  await look(page, "checkout-waiting", everywhere);
});
