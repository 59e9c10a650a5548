import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import {
  cancelDeletion,
  deleteAccounts,
  scheduleDeletion,
} from "~/features/accounts/deletion.server.ts";
import { mainOf, readable, toastOf } from "../../support/answers.ts";
import { createCourse } from "../../support/courses.ts";
import { lettersTo } from "../../support/mailbox.ts";
import { patient } from "../../support/patient.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { openShop, type Shop } from "../../support/stripe/shop.ts";

let shop: Shop;
let coach: Person;
beforeAll(async () => {
  shop = await openShop();
  coach = await createPerson(shop.services, { role: "admin", name: "Nora" });
});
afterEach(() => shop.stripe.faults.forget());
afterAll(() => shop.close());

const pay = (sessionId: string) => shop.tell(shop.stripe.account.pay(sessionId));
const paragraphs = (text: string) => text.replace(/\s+/g, " ");

/** Somebody with a checkout that was open at Stripe when they asked for the deletion, and then paid. */
async function paidWhileScheduled() {
  const begun = await shop.begin();
  await scheduleDeletion(shop.services, begun.buyer.id);
  await pay(begun.sessionId);
  const { id, paymentIntentId } = await shop.paymentOf(begun.sessionId);
  return { ...begun, id, intent: String(paymentIntentId) };
}

const entry = async (id: string) =>
  mainOf(readable(await (await shop.ask(`/admin/payments/${id}`, { as: coach })).text()));

describe("an account whose deletion is scheduled", () => {
  test("POST /courses/{slug}: leads to the choice and, once the account is kept, back to the course", async () => {
    const course = await createCourse(shop.services, [[{}]]);
    const buyer = await createPerson(shop.services);
    await scheduleDeletion(shop.services, buyer.id);
    const page = `/courses/${course.slug}`;
    const pressed = await shop.ask(page, { as: buyer, form: {} });
    const choice = `/account/leaving?redirect=${page}`;
    expect([pressed.status, pressed.headers.get("location")]).toEqual([303, choice]);
    expect(toastOf(pressed)).toMatchObject({
      title: "Your account will be deleted.",
      description: "To take this course, keep your account first.",
    });
    expect(shop.stripe.account.sessions.size).toBe(0);
    const kept = await shop.ask(choice, { as: buyer, form: { intent: "keep" } });
    expect(kept.headers.get("location")).toBe(page);
    const again = await shop.ask(page, { as: buyer, form: {} });
    expect(again.headers.get("location")).toMatch(/\/c\/pay\//);
  });

  test("POST /account/leaving: leads to no other site", async () => {
    const buyer = await createPerson(shop.services);
    await scheduleDeletion(shop.services, buyer.id);
    const choice = "/account/leaving?redirect=//elsewhere.example/";
    const kept = await shop.ask(choice, { as: buyer, form: { intent: "keep" } });
    expect(kept.headers.get("location")).toBe("/my-courses");
  });

  test("POST /api/create-checkout: 409 says to keep the account first", async () => {
    const course = await createCourse(shop.services, [[{}]]);
    const buyer = await createPerson(shop.services);
    await scheduleDeletion(shop.services, buyer.id);
    const refused = await shop.ask("/api/create-checkout", {
      as: buyer,
      json: { productId: course.id },
    });
    expect([refused.status, await refused.json()]).toEqual([
      409,
      {
        error: {
          code: "conflict",
          message: "Your account will be deleted. To take this course, keep your account first.",
        },
      },
    ]);
    await cancelDeletion(shop.services, buyer.id);
    expect(await shop.checkout(buyer, course.id)).toMatchObject({ status: 200 });
  });
});

describe("a payment that comes while the deletion is scheduled", () => {
  test("opens the course, and the coach and the payer are told what the deletion means", async () => {
    const { buyer, course, sessionId, id, intent } = await paidWhileScheduled();
    expect(await shop.enrollmentsOf(buyer)).toEqual([
      { productId: course.id, stripePaymentId: intent },
    ]);
    expect(await shop.paymentOf(sessionId)).toMatchObject({
      status: "paid",
      open: ["deletion_scheduled"],
    });
    const email = await vi.waitFor(() => {
      const found = lettersTo(shop.services.config, coach.email).find(({ text }) =>
        text.includes(intent),
      );
      if (!found) throw new Error("the coach was not told yet");
      return found;
    }, patient);
    expect(email.subject).toBe("A payment for an account that will be deleted");
    expect(paragraphs(email.text)).toContain("after asking for the account to be deleted");
    const shown = await entry(id);
    expect(shown).toContain("A payment for an account that will be deleted");
    expect(shown).toContain(intent);
    const receipt = await vi.waitFor(() => {
      const [found] = shop.receiptLettersTo(buyer);
      if (!found) throw new Error("no receipt yet");
      return paragraphs(found.text);
    }, patient);
    expect(receipt).toContain("You have asked for your account to be deleted.");
    expect(receipt).toContain("If you did not mean to pay, answer this email");
  });

  test("stays on the coach's list when the account is gone, with Stripe's reference and a refund", async () => {
    const { id, sessionId, intent } = await paidWhileScheduled();
    shop.clock.forwardDays(8);
    await deleteAccounts.run(shop.services);
    expect(await shop.paymentOf(sessionId)).toMatchObject({
      userId: null,
      open: ["deletion_scheduled"],
    });
    const shown = await entry(id);
    expect(shown).toContain("by somebody whose account is gone");
    expect(shown).toContain(`Stripe’s reference is ${intent}.`);
    const list = await (await shop.ask("/admin/payments", { as: coach })).text();
    expect(list).toContain(intent);
    const form = { intent: "refund", cents: "19700", attempt: "x" };
    await shop.ask(`/admin/payments/${id}`, { as: coach, form });
    expect(await shop.paymentOf(sessionId)).toMatchObject({ status: "refunded", open: [] });
  });

  test("whose account is kept needs nothing more", async () => {
    const { buyer, id } = await paidWhileScheduled();
    await cancelDeletion(shop.services, buyer.id);
    const shown = await entry(id);
    expect(shown).toContain("has kept the account since");
    expect(shown).toContain("There is nothing more to do here.");
  });

  test("of an account that nobody wants deleted, bothers nobody", async () => {
    const { buyer, sessionId } = await shop.begin();
    await scheduleDeletion(shop.services, buyer.id);
    await cancelDeletion(shop.services, buyer.id);
    await pay(sessionId);
    expect((await shop.paymentOf(sessionId)).open).toEqual([]);
  });
});
