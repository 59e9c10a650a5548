import { createPerson } from "../support/people.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { purchase, test } from "./support/shop.ts";
import { expect, phone, toast } from "./support/test.ts";

const slug = "blue-dot-method";

test("the coach finds what needs her, enrolls, marks as done and refunds", async ({
  site,
  stripe,
  device,
}) => {
  const { services } = site;
  const shop = { services, stripe };
  const coach = await createPerson(services, { role: "admin", name: "Nora Hale" });
  const page = await device({ as: coach });
  await page.goto("/admin/payments");
  await hydrated(page);
  await expect(page.getByRole("heading", { name: "No payments yet" })).toBeVisible();
  await look(page, "payments-empty", { night: true });

  stripe.faults.plan(401, { times: Number.POSITIVE_INFINITY });
  await page.reload();
  await hydrated(page);
  await expect(page.getByText("Stripe does not accept this site’s key")).toBeVisible();
  await look(page, "payments-key-refused", { widths: [360, 1280], night: true });
  stripe.faults.forget();

  await purchase(shop, { name: "Ada Lovelace", slug, attention: "course_deleted" });
  await purchase(shop, { name: "Grace Hopper", slug, attention: "dispute_lost" });
  const mary = await purchase(shop, { name: "Mary Anning", slug });
  await page.goto("/admin");
  await hydrated(page);
  const way = page.getByRole("link", { name: /^Payments/ });
  await expect(way).toHaveText("Payments2 need you");
  await way.click();
  await expect(page.getByRole("row", { name: /Mary Anning/ })).toContainText("$197.00");
  await look(page, "payments-attention", { widths: [320, 360, 1280], night: true });

  const entry = (subject: string) => page.getByRole("article", { name: subject });
  const deleted = entry("A payment for a course that was deleted");
  await deleted.getByRole("button", { name: "Enroll Ada Lovelace" }).click();
  await expect(toast(page, "Enrolled")).toBeVisible();
  await expect(page.getByRole("link", { name: "Enrolled now" })).toBeVisible();
  await page.getByRole("link", { name: "Payments", exact: true }).first().click();
  await expect(page).toHaveURL("/admin/payments");
  await expect(deleted).toHaveCount(0);
  await entry("A dispute was decided against you")
    .getByRole("button", { name: "Mark as done" })
    .click();
  await expect(toast(page, "Marked as done")).toBeVisible();
  await expect(page.getByText("Nothing. A dispute, or a payment")).toBeVisible();
  await expect(way).toHaveText("Payments");
  await look(page, "payments-list", { night: true });

  await page.getByRole("searchbox", { name: "Search by name or email" }).fill("mary");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("row", { name: /Ada Lovelace/ })).toHaveCount(0);
  await page.getByRole("link", { name: /^Open the payment of Mary Anning/ }).click();
  await expect(page.getByText("By the terms, this can be refunded until")).toBeVisible();
  await look(page, "payment", { widths: [320, 360, 1280], night: true });

  await page.getByRole("link", { name: "Enrolled now" }).click();
  await expect(page).toHaveURL(/\/admin\/enrollments\/[\w-]{36}$/);
  await look(page, "enrollment-paid", { widths: [320, 360, 1280], night: true });
  await page.getByRole("button", { name: "Refund $197.00" }).click();
  const dialog = page.getByRole("dialog", { name: "Refund $197.00?" });
  await expect(dialog).toContainText("What Mary Anning completed and wrote there is kept.");
  await look(page, "refund-question", { widths: [320, 360, 1280], night: true });
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  expect(stripe.account.refunds.size).toBe(0);
  await page.getByRole("button", { name: "Refund $197.00" }).click();
  await dialog.getByRole("button", { name: "Refund $197.00" }).click();
  await expect(toast(page, "Refunded")).toBeVisible();
  await expect(page.getByText("Not enrolled now")).toBeVisible();
  await look(page, "payment-refunded", { night: true });
  expect([...stripe.account.refunds.values()]).toMatchObject([
    { amount: 19700, payment_intent: mary.intent },
  ]);
});

test("without scripts: the list, the payment and its refund", async ({ site, stripe, device }) => {
  const { services } = site;
  const coach = await createPerson(services, { role: "admin", name: "Nora Hale" });
  const { paymentId } = await purchase({ services, stripe }, { name: "Mary Anning", slug });
  const page = await device({ as: coach, javaScriptEnabled: false, viewport: phone });
  await page.goto("/admin/payments");
  await page.getByRole("link", { name: /^Open the payment of Mary/ }).click();
  await expect(page).toHaveURL(`/admin/payments/${paymentId}`);
  await page.getByRole("button", { name: "Refund $197.00" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Refund $197.00" }).click();
  await expect(page.getByRole("main").getByText("Refunded").first()).toBeVisible();
  expect(stripe.account.refunds.size).toBe(1);
});
