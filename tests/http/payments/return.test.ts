import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mainOf, readable, toastOf } from "../../support/answers.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { buy, lastEvent } from "../../support/stripe/bought.ts";
import { openShop, type Shop } from "../../support/stripe/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const account = () => shop.stripe.account;

async function back(as: Person | null, sessionId: string) {
  const answer = await shop.ask(`/enrollment-success?session_id=${sessionId}`, { as });
  return {
    ...{ status: answer.status, to: answer.headers.get("location"), toast: toastOf(answer) },
    main: answer.status === 200 ? mainOf(readable(await answer.text())) : "",
  };
}

describe("a checkout that is opened again later says what is true of it then", () => {
  test.each(["refunded", "disputed"] as const)(
    "%s: to the course's page, which says so",
    async (end) => {
      const { buyer, course, sessionId, intent } = await buy(shop);
      if (end === "refunded") account().refund({ payment_intent: intent });
      else account().dispute(intent);
      await shop.tell(
        lastEvent(shop, end === "refunded" ? "charge.refunded" : "charge.dispute.created"),
      );
      expect((await shop.paymentOf(sessionId)).status).toBe(end);
      const { status, to, toast } = await back(buyer, sessionId);
      expect([status, to]).toEqual([303, `/courses/${course.slug}`]);
      expect(toast?.title).toBe(
        end === "refunded"
          ? "The money for this course has gone back"
          : "Your bank is asking about this payment",
      );
    },
  );

  test("a dispute that was lost: the money has gone back", async () => {
    const { buyer, sessionId, intent } = await buy(shop);
    await shop.tell(account().closeDispute(account().dispute(intent).id, "lost"));
    const { toast } = await back(buyer, sessionId);
    expect(toast).toMatchObject({ title: "The money for this course has gone back" });
  });

  test("a refund that did not reach her: that, and nothing of a course that opens", async () => {
    const { buyer, course, sessionId, intent } = await buy(shop);
    const { id } = account().refund({ payment_intent: intent });
    await shop.tell(lastEvent(shop, "charge.refunded"));
    await shop.tell(account().failRefund(id));
    const { to, toast } = await back(buyer, sessionId);
    expect(to).toBe(`/courses/${course.slug}`);
    expect(toast).toMatchObject({ title: "Your refund has not reached you" });
  });

  test("refunded, but she is in by another way: that the course is open", async () => {
    const { buyer, course, sessionId, intent } = await buy(shop);
    account().refund({ payment_intent: intent });
    await shop.tell(lastEvent(shop, "charge.refunded"));
    await buy(shop, { buyer, course });
    expect((await back(buyer, sessionId)).main).toContain("is open for you.");
  });

  test("paid, and the access was ended by hand since: nothing is on its way", async () => {
    const { buyer, course, sessionId } = await buy(shop);
    const { db } = shop.services;
    const { id } = await db.write
      .selectFrom("enrollments")
      .select("id")
      .where("userId", "=", buyer.id)
      .executeTakeFirstOrThrow();
    const coach = await createPerson(shop.services, { role: "admin" });
    await shop.ask(`/admin/enrollments/${id}`, { as: coach, form: {} });
    const { status, to, toast } = await back(buyer, sessionId);
    expect([status, to]).toEqual([303, `/courses/${course.slug}`]);
    expect(toast).toMatchObject({ title: "This course is not open to you" });
  });

  test("paid in vain, and her bank has asked since: it is being looked at, not on its way", async () => {
    const { buyer, sessionId } = await shop.begin();
    Object.assign(account().session(sessionId), { currency: "eur" });
    await shop.tell(account().pay(sessionId));
    const intent = String(account().session(sessionId).payment_intent);
    const { id } = account().dispute(intent);
    await shop.tell(lastEvent(shop, "charge.dispute.created"));
    await shop.tell(account().closeDispute(id, "won"));
    expect((await shop.paymentOf(sessionId)).status).toBe("paid");
    expect((await back(buyer, sessionId)).main).toContain("I am looking at it by hand");
  });
});

test("whoever is not known here is not told that she is enrolled", async () => {
  const { sessionId } = await shop.begin();
  account().pay(sessionId, { slowly: true });
  const stranger = await createPerson(shop.services);
  for (const as of [null, stranger])
    for (const path of ["/enrollment-success", `/enrollment-success?session_id=${sessionId}`]) {
      const main = mainOf(readable(await (await shop.ask(path, { as })).text()));
      expect(main).toContain("Welcome to Your Course!");
      expect(main).not.toMatch(/you are enrolled|your course is there|is open for you/i);
    }
});
