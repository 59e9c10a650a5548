import { describe, expect, test } from "vitest";
import { hidden, toastOf } from "../../support/responses.ts";
import { type Bought, shopOfFile } from "../../support/stripe/shop.ts";

const shop = shopOfFile();

const page = ({ id }: { id: string }, part?: string) =>
  shop.read(
    `/admin/payments/${id}${part === undefined ? "" : `?${new URLSearchParams({ part })}`}`,
  );
const isEnrolled = async (bought: Bought) => (await shop.enrollmentOf(bought)) !== undefined;
const amounts = ({ intent }: Bought) =>
  [...shop.account.refunds.values()]
    .filter((one) => one.payment_intent === intent)
    .map(({ amount }) => amount);

/** Types an amount on the payment's page. @returns what the question's button sends */
async function ask(bought: Bought, part: string) {
  const question = (await page(bought, part)).split('id="refund-part"')[1] ?? "";
  const [cents = ""] = hidden(question, "cents");
  const [left = ""] = hidden(question, "left");
  const [attempt = ""] = hidden(question, "attempt");
  return (more: Record<string, string> = {}) =>
    shop.press(bought, { intent: "refund", cents, left, attempt, ...more });
}

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
    const answers = await Promise.all(pages.map((press) => press()));
    expect(amounts(bought)).toHaveLength(1);
    const descriptions = answers.map((answer) => toastOf(answer)?.description ?? "");
    expect(descriptions.toSorted().at(-1)).toContain("The amount that is left has changed");
    expect((await shop.paymentOf(bought)).refundedCents).toBe(amounts(bought)[0]);
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
