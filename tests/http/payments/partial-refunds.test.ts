import { describe, expect, test } from "vitest";
import { hidden, toastOf } from "../../support/responses.ts";
import { type Bought, shopOfFile } from "../../support/stripe/shop.ts";

const shop = shopOfFile();

const always = { times: Number.POSITIVE_INFINITY };
const sending = /POST .*refunds/;
const page = ({ id }: { id: string }, part?: string) =>
  shop.read(
    `/admin/payments/${id}${part === undefined ? "" : `?${new URLSearchParams({ part })}`}`,
  );
const isEnrolled = async (bought: Bought) => (await shop.enrollmentOf(bought)) !== undefined;
const amounts = ({ intent }: Bought) =>
  [...shop.account.refunds.values()]
    .filter((one) => one.payment_intent === intent)
    .map(({ amount }) => amount);

const fields = ["cents", "left", "attempt", "part"];

/** @returns what the button of the question in this page sends */
function buttonOf(bought: Bought, shown: string) {
  const question = shown.split('id="refund-part"')[1] ?? "";
  const sent = Object.fromEntries(
    fields.map((name) => [name, hidden(question, name)[0] ?? ""] as const),
  );
  return (more: Record<string, string> = {}) =>
    shop.press(bought, { intent: "refund", ...sent, ...more });
}

/** Types an amount on the payment's page. @returns what the question's button sends */
const ask = async (bought: Bought, part: string) => buttonOf(bought, await page(bought, part));

/** The page that an answer leads to. */
const next = (answer: Response) => shop.read(answer.headers.get("location") ?? "");

describe("GET /admin/payments/{id}?part=", () => {
  test.each([
    ["abc", "Write the amount as a number"],
    ["197.01", "At most $197.00 can be refunded"],
  ])("%j is an error of the field, which keeps it; nothing is asked", async (typed, words) => {
    const bought = await shop.buy();
    const shown = await page(bought, typed);
    expect(shown).toMatch(new RegExp(`field-error"[^]*?${words.replace("$", "\\$")}`));
    expect(shown).toMatch(new RegExp(`<input[^>]*name="part"[^>]*value="${typed}"`));
    expect(shown).not.toContain('id="refund-part"');
    expect(amounts(bought)).toEqual([]);
  });

  test("asks with the amount, the rest and the access", async () => {
    const shown = await page(await shop.buy(), " $1.5 ");
    for (const words of ["Refund $1.50?", "$195.50 stays with you", 'name="access"'])
      expect(shown).toContain(words);
    const whole = await page(await shop.buy(), "197");
    expect(whole).toContain("can no longer open");
    expect(whole).not.toContain('name="access"');
  });
});

describe("POST /admin/payments/{id}, a refund in part", () => {
  test("leaves the access, until nothing is left, with an email of each amount", async () => {
    const bought = await shop.buy();
    expect(toastOf(await (await ask(bought, "50"))())?.title).toBe("Refunded");
    expect(await isEnrolled(bought)).toBe(true);
    expect(await page(bought)).toContain("$50.00 of $197.00 went back");
    expect(await shop.read("/admin/payments")).toContain("Partly refunded");
    expect(toastOf(await (await ask(bought, "100.25"))())?.title).toBe("Refunded");
    expect(await isEnrolled(bought)).toBe(true);
    expect(toastOf(await (await ask(bought, "46.75"))())?.title).toBe("Refunded");
    expect(amounts(bought)).toEqual([5000, 10025, 4675]);
    expect(await isEnrolled(bought)).toBe(false);
    expect(await shop.paymentOf(bought)).toMatchObject({
      status: "refunded",
      refundedCents: 19700,
    });
    for (const words of ["$50.00 of your", "$100.25 of your", "$46.75 of your"])
      await shop.emailAbout(bought.buyer, /^Your refund/, `I have refunded ${words}`);
    expect(await shop.queued("payments.refunded", bought.buyer)).toBe(3);
  });

  test("ends the access if that was ticked, in the coach's name, and says so", async () => {
    const bought = await shop.buy();
    await (await ask(bought, "50"))({ access: "end" });
    expect(amounts(bought)).toEqual([5000]);
    expect(await shop.formerEnrollmentsOf(bought)).toMatchObject([
      { removedBy: shop.coach.id, reason: null },
    ]);
    const { text } = await shop.emailAbout(bought.buyer, /^Your refund/);
    expect(text).toContain("The course is closed to you from now on.");
    expect((await shop.paymentOf(bought)).status).toBe("paid");
  });

  test.each(["at once", "one after the other"])("pressed twice %s is one refund", async (how) => {
    const bought = await shop.buy();
    const press = await ask(bought, "50");
    const answers =
      how === "at once"
        ? await Promise.all([press(), press(), press()])
        : [await press(), await press()];
    expect(amounts(bought)).toEqual([5000]);
    expect(answers.map((answer) => toastOf(answer)?.tone)).not.toContain("destructive");
    expect(await shop.queued("payments.refunded", bought.buyer)).toBe(1);
  });

  test("from two pages at once never exceeds the payment", async () => {
    const bought = await shop.buy();
    const pages = [await ask(bought, "150"), await ask(bought, "120")];
    await Promise.all(pages.map((press) => press()));
    expect(amounts(bought)).toHaveLength(1);
    expect((await shop.paymentOf(bought)).refundedCents).toBe(amounts(bought)[0]);
  });

  test("from two pages at once is sent once; the other is asked to look again", async () => {
    const bought = await shop.buy();
    const [first, second] = [await ask(bought, "50"), await ask(bought, "50")];
    shop.stripe.faults.plan("hang", { path: sending });
    const answer = first();
    await expect.poll(() => shop.stripe.faults.hanging).toBe(1);
    const other = await second();
    expect(toastOf(other)?.description).toContain("A refund of this payment is being sent.");
    shop.stripe.faults.release();
    expect(toastOf(await answer)?.title).toBe("Refunded");
    expect(amounts(bought)).toEqual([5000]);
    // The amount is still there to be asked for again.
    expect(await next(other)).toContain("Refund $50.00?");
  });

  test("is not sent twice when every answer is lost: the next press is the same refund", async () => {
    const bought = await shop.buy();
    shop.stripe.faults.plan("reset-after", { ...always, path: sending });
    const lost = await (await ask(bought, "50"))({ access: "end" });
    expect(toastOf(lost)?.description).toContain("Look below at what has gone back");
    shop.stripe.faults.forget();
    // Another page, another refund: not while that one may be on its way.
    const other = await (await ask(bought, "60"))();
    expect(toastOf(other)?.description).toContain("is being sent");
    await shop.tell("charge.refunded");
    const shown = await next(lost);
    expect(shown).toMatch(/<input[^>]*name="part"[^>]*value="50"/);
    expect(shown).toContain("$50.00 of $197.00 went back");
    expect(toastOf(await buttonOf(bought, shown)())?.title).toBe("Already refunded");
    expect(amounts(bought)).toEqual([5000]);
    expect(await isEnrolled(bought)).toBe(false);
  });

  test("keeps amount, attempt and tick when the rest has changed; forged ones are ignored", async () => {
    const bought = await shop.buy();
    const press = await ask(bought, "50");
    shop.account.refund({ payment_intent: bought.intent, amount: "1000" });
    const changed = await press({ access: "end" });
    expect(toastOf(changed)?.description).toContain("Look below at what has gone back");
    const shown = await next(changed);
    expect(shown).toMatch(/<input[^>]*name="access"[^>]*checked/);
    const attempts = (html: string) => hidden(html.split('id="refund-part"')[1] ?? "", "attempt");
    expect(changed.headers.get("location")).toContain(`attempt=${attempts(shown)[0]}`);
    expect(toastOf(await buttonOf(bought, shown)())?.title).toBe("Refunded");
    expect(amounts(bought)).toEqual([1000, 5000]);
    const forged = await shop.read(`/admin/payments/${bought.id}?part=50&attempt=mine`);
    expect(attempts(forged)[0]).toMatch(/^[\da-f-]{36}$/);
  });

  test("is sent again by the next press after Stripe failed in the middle", async () => {
    const bought = await shop.buy();
    shop.stripe.faults.plan(500, { path: sending });
    const failed = await (await ask(bought, "50"))();
    expect(toastOf(failed)?.description).toContain("not certain");
    // Stripe repeats its error to the same idempotency key.
    expect(toastOf(await buttonOf(bought, await next(failed))())?.title).toBe("Refunded");
    expect(amounts(bought)).toEqual([5000]);
  });

  test("ends the access by the webhook alone, once, and says so", async () => {
    const bought = await shop.buy();
    // The site stops after Stripe took it: only the event tells of it.
    const metadata = { attempt: "one", access: "end" };
    shop.account.refund({ payment_intent: bought.intent, amount: "5000", metadata });
    await shop.tell("charge.refunded");
    expect(await isEnrolled(bought)).toBe(false);
    const { text } = await shop.emailAbout(bought.buyer, /^Your refund/);
    expect(text).toContain("The course is closed to you from now on.");
    // Whom the coach lets in again stays.
    await shop.press(bought, { intent: "enroll" });
    await shop.tellAgain(shop.lastEvent("charge.refunded"));
    await shop.refund(bought, 1000);
    expect(await isEnrolled(bought)).toBe(true);
  });

  test("ends the access before the event that overtakes it can say otherwise", async () => {
    const bought = await shop.buy();
    const press = await ask(bought, "50");
    shop.stripe.faults.plan("hang-after", { path: sending });
    const answer = press({ access: "end" });
    await expect.poll(() => shop.stripe.faults.hanging).toBe(1);
    await shop.tell("charge.refunded");
    const { text } = await shop.emailAbout(bought.buyer, /^Your refund/);
    expect(text).toContain("The course is closed to you from now on.");
    shop.stripe.faults.release();
    await answer;
    expect(await shop.queued("payments.refunded", bought.buyer)).toBe(1);
  });

  test("is in the audit log with its currency", async () => {
    const bought = await shop.buy();
    await shop.services.db.write
      .updateTable("payments")
      .set({ currency: "eur" })
      .where("id", "=", bought.id)
      .execute();
    await (await ask(bought, "12.34"))();
    expect(await shop.read("/admin/audit")).toContain("€12.34");
  });

  test.each<Record<string, string>>([
    { cents: "0" },
    { cents: "-100" },
    { cents: "12.5" },
    { cents: "abc" },
    { cents: "19701" },
    { cents: "19701", left: "19701" },
    { left: "100" },
  ])("refunds nothing for %j", async (forged) => {
    const bought = await shop.buy();
    const press = await ask(bought, "50");
    expect(toastOf(await press(forged))?.tone).toBe("destructive");
    expect(amounts(bought)).toEqual([]);
  });
});
