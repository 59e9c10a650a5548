import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { hidden, readable, toastOf } from "../../support/answers.ts";
import { createCourse } from "../../support/courses.ts";
import { lettersTo, letterTo } from "../../support/mailbox.ts";
import { openedDrafts } from "../../support/opened.ts";
import { openIssues } from "../../support/payments.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { type Bought, buy, lastEvent, payOnceMore } from "../../support/stripe/bought.ts";
import { openShop, type Shop } from "../../support/stripe/shop.ts";

let shop: Shop;
let coach: Person;
beforeAll(async () => {
  shop = await openShop();
  coach = await createPerson(shop.services, { role: "admin", name: "Nora" });
});
afterEach(() => {
  shop.stripe.faults.forget();
  shop.stripe.account.balance = Number.POSITIVE_INFINITY;
});
afterAll(() => shop.close());

const write = () => shop.services.db.write;
const seat = ({ buyer }: Pick<Bought, "buyer">) =>
  write().selectFrom("enrollments").selectAll().where("userId", "=", buyer.id).executeTakeFirst();
const page = async (path: string) => readable(await (await shop.ask(path, { as: coach })).text());
const refundsOf = ({ intent }: Bought) =>
  [...shop.stripe.account.refunds.values()].filter((one) => one.payment_intent === intent);

/** Opens the payment as the coach does, and presses its button. */
async function open({ id }: Bought) {
  const html = await (await shop.ask(`/admin/payments/${id}`, { as: coach })).text();
  const [cents = ""] = hidden(html, "cents");
  const [attempt = ""] = hidden(html, "attempt");
  const form = { intent: "refund", cents, attempt };
  return () => shop.ask(`/admin/payments/${id}`, { as: coach, form });
}
const press = async (bought: Bought) => (await open(bought))();
const saidBy = async (bought: Bought) => toastOf(await press(bought));
const refundLetter = ({ buyer }: Bought) =>
  vi.waitFor(
    () => {
      const letters = lettersTo(shop.services.config, buyer.email);
      const letter = letters.find(({ subject }) => subject === "Your refund for “A course”");
      if (!letter) throw new Error("no letter about the refund yet");
      return letter;
    },
    { timeout: 25_000, interval: 20 },
  );
const callsTo = (path: RegExp) =>
  shop.stripe.calls.filter((call) => path.test(`${call.method} ${call.path}`));

describe("the button", () => {
  test("gives all of it back: access ends by her, she stays with what she did, one letter", async () => {
    const bought = await buy(shop);
    const answer = await press(bought);
    expect(answer.headers.get("location")).toBe(`/admin/payments/${bought.id}`);
    expect(toastOf(answer)).toEqual({ title: "Refunded", tone: "success" });
    expect(refundsOf(bought)).toMatchObject([{ amount: 19700, reason: "requested_by_customer" }]);
    expect(await seat(bought)).toBeUndefined();
    const former = () =>
      write()
        .selectFrom("formerEnrollments")
        .selectAll()
        .where("userId", "=", bought.buyer.id)
        .execute();
    expect(await former()).toMatchObject([{ removedBy: coach.id, reason: "refunded" }]);
    const letter = await refundLetter(bought);
    expect(letter.text).toContain("$197.00");
    expect(letter.text).toContain("The course is closed to you from now on.");
    const after = await page(`/admin/payments/${bought.id}`);
    expect(after).toContain("Refunded");
    expect(after).not.toContain('value="refund"');
    await shop.tell(lastEvent(shop, "charge.refunded"));
    expect(await former()).toHaveLength(1);
  });

  test.each([
    ["pressed twice", true],
    ["in two tabs", false],
  ])("%s at once is one refund", async (_, isSame) => {
    const bought = await buy(shop);
    const first = await open(bought);
    const second = isSame ? first : await open(bought);
    const answers = await Promise.all([first(), second()]);
    expect(refundsOf(bought)).toHaveLength(1);
    expect(answers.map((answer) => toastOf(answer)?.tone)).not.toContain("destructive");
    expect((await shop.paymentOf(bought.sessionId)).refundedCents).toBe(19700);
    const letters = await write()
      .selectFrom("outbox")
      .select("id")
      .where("kind", "=", "payments.refunded")
      .where("userId", "=", bought.buyer.id)
      .execute();
    expect(letters).toHaveLength(1);
  });

  test("of a page from before says that it was refunded", async () => {
    const bought = await buy(shop);
    const old = await open(bought);
    await press(bought);
    expect(toastOf(await old())?.title).toBe("Already refunded");
    expect(refundsOf(bought)).toHaveLength(1);
  });

  test("gives back what is left after a part; a page that shows another amount gives nothing", async () => {
    const bought = await buy(shop);
    const old = await open(bought);
    shop.stripe.account.refund({ payment_intent: bought.intent, amount: "5000" });
    expect(toastOf(await old())?.description).toContain("The amount that is left has changed");
    expect(refundsOf(bought)).toHaveLength(1);
    const shown = await page(`/admin/payments/${bought.id}`);
    expect(shown).toContain("Paid, $50.00 of it refunded");
    expect(shown).toContain("Refund $147.00");
    await press(bought);
    expect(refundsOf(bought).map(({ amount }) => amount)).toEqual([5000, 14700]);
    expect(await seat(bought)).toBeUndefined();
  });

  test("a part of it refunded: her page offers what is left", async () => {
    const bought = await buy(shop);
    shop.stripe.account.refund({ payment_intent: bought.intent, amount: "5000" });
    await shop.tell(lastEvent(shop, "charge.refunded"));
    const path = `/courses/${bought.course.slug}`;
    const hers = readable(await (await shop.ask(path, { as: bought.buyer })).text());
    expect(hers).toContain("You can have your $147.00 back until ");
  });

  test("after the terms' end is hers to press all the same", async () => {
    const bought = await buy(shop);
    shop.clock.forwardDays(15);
    expect(await page(`/admin/payments/${bought.id}`)).toContain("no longer refundable");
    expect((await saidBy(bought))?.title).toBe("Refunded");
  });

  test("needs a payment that is there, and was paid", async () => {
    const { sessionId } = await shop.begin();
    const { id } = await shop.paymentOf(sessionId);
    const form = { intent: "refund", cents: "19700", attempt: "x" };
    const answer = await shop.ask(`/admin/payments/${id}`, { as: coach, form });
    expect(toastOf(answer)?.description).toContain("never paid");
    const none = await shop.ask("/admin/payments/none", { as: coach, form });
    expect(toastOf(none)?.description).toContain("no such payment");
  });
});

describe("what goes wrong", () => {
  test("Stripe cannot be reached before: nothing was refunded, and it says so", async () => {
    const bought = await buy(shop);
    const send = await open(bought);
    shop.stripe.faults.plan("reset", { times: Number.POSITIVE_INFINITY });
    expect(toastOf(await send())?.description).toContain("nothing was refunded");
    expect(await seat(bought)).toBeDefined();
    shop.stripe.faults.forget();
    expect((await saidBy(bought))?.title).toBe("Refunded");
  });

  test("Stripe's answer is lost once: asked again with the same key, it is one refund", async () => {
    const bought = await buy(shop);
    shop.stripe.faults.plan("reset-after", { path: /POST .*refunds/ });
    const before = callsTo(/POST .*refunds/).length;
    expect((await saidBy(bought))?.title).toBe("Refunded");
    const keys = callsTo(/POST .*refunds/)
      .slice(before)
      .map(({ key }) => key);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(refundsOf(bought)).toHaveLength(1);
  });

  test("every answer is lost: it is not certain, and the next press finds it done", async () => {
    const bought = await buy(shop);
    const path = /POST .*refunds/;
    shop.stripe.faults.plan("reset-after", { times: Number.POSITIVE_INFINITY, path });
    expect((await saidBy(bought))?.description).toContain("not certain");
    expect(await seat(bought)).toBeDefined();
    shop.stripe.faults.forget();
    expect((await saidBy(bought))?.title).toBe("Already refunded");
    expect(refundsOf(bought)).toHaveLength(1);
    expect(await seat(bought)).toBeUndefined();
  });

  test("Stripe falls silent after it has taken it: the webhook ends it", async () => {
    const bought = await buy(shop);
    const send = await open(bought);
    // The first question is answered, those after the refund are not.
    const path = /GET .*payment_intents/;
    shop.stripe.faults.plan("reset", { times: Number.POSITIVE_INFINITY, path, after: 1 });
    expect(toastOf(await send())?.description).toContain("Stripe has taken it");
    expect(await seat(bought)).toBeDefined();
    shop.stripe.faults.forget();
    await shop.tell(lastEvent(shop, "charge.refunded"));
    expect(await seat(bought)).toBeUndefined();
  });

  test("the balance is too small: said in words, and later it works", async () => {
    const bought = await buy(shop);
    shop.stripe.account.balance = 100;
    expect((await saidBy(bought))?.description).toContain("does not hold this amount");
    expect(await seat(bought)).toBeDefined();
    shop.stripe.account.balance = Number.POSITIVE_INFINITY;
    expect((await saidBy(bought))?.title).toBe("Refunded");
  });

  test("the bank is deciding: nothing is sent", async () => {
    const bought = await buy(shop);
    const old = await open(bought);
    shop.stripe.account.dispute(bought.intent);
    expect(toastOf(await old())?.description).toContain("The bank is deciding");
    expect(refundsOf(bought)).toEqual([]);
  });
});

describe("beside the enrollment the coach reads", () => {
  const enrollmentPage = async (bought: Bought) =>
    page(`/admin/enrollments/${(await seat(bought))?.id}`);

  test("what was paid, that it can be refunded, until when, and where Stripe shows it", async () => {
    const shown = await enrollmentPage(await buy(shop));
    expect(shown).toContain("$197.00 on ");
    expect(shown).toContain("By the terms, this can be refunded until ");
    expect(shown).toContain("So far: 0 of 4 lessons completed.");
    expect(shown).toContain("Refund $197.00");
    expect(shown).toContain('href="https://dashboard.stripe.com/test/payments/pi_');
    expect(shown).toContain("No money is refunded by this");
  });

  test("that a quarter is passed, and that the days are over", async () => {
    const bought = await buy(shop);
    const lessons = bought.course.modules.flatMap((module) => module.lessons);
    for (const lesson of lessons.slice(0, 2))
      await completeLesson(shop.services, {
        userId: bought.buyer.id,
        lessonId: lesson.id,
        answers: [{ question: "How was it?", answer: "nobody-elses-words" }],
        drafts: [],
      });
    const shown = await enrollmentPage(bought);
    expect(shown).toContain("More than 25% of the lessons are completed: 2 of 4 lessons completed");
    expect(shown).toContain("You may still refund it. That is your decision.");
    expect(shown).not.toContain("nobody-elses-words");
    const late = await buy(shop);
    shop.clock.forwardDays(15);
    expect(await enrollmentPage(late)).toContain("The 14 days ended on ");
  });
});

test("on the page of her course the student reads until when, and no longer than that", async () => {
  const bought = await buy(shop);
  const hers = async () =>
    readable(await (await shop.ask(`/courses/${bought.course.slug}`, { as: bought.buyer })).text());
  expect(await hers()).toMatch(
    /You can have your \$197\.00 back until \w+ \d+, \d{4}, \d\d:\d\d\sUTC, .* So far: 0 of 4 lessons completed\. To ask for it, write to \S+@\S+/,
  );
  const lesson = bought.course.modules[0]?.lessons[0]?.id ?? "";
  const done = { userId: bought.buyer.id, lessonId: lesson, answers: [], drafts: [] };
  await completeLesson(shop.services, done);
  expect(await hers()).toContain("So far: 1 of 4 lessons completed.");
  shop.clock.forwardDays(15);
  const late = await hers();
  expect(late).toContain("Continue Learning");
  expect(late).not.toContain("You can have your");
});

test("whoever is refunded in the middle of a sentence keeps it, with scripts and without", async () => {
  const bought = await buy(shop);
  const path = `/courses/${bought.course.slug}/learn`;
  const lessonId = bought.course.modules[0]?.lessons[0]?.id ?? "";
  expect((await saidBy(bought))?.title).toBe("Refunded");
  const said = (answer: string) => [{ question: "How was it?", answer }];
  const draft = { draftId: newId(), lessonId, revision: 1, answers: said("typed, with scripts") };
  const kept = await shop.ask(`${path}/draft`, { as: bought.buyer, method: "PUT", json: draft });
  expect(kept.status).toBe(204);
  const sent = await shop.ask(path, {
    as: bought.buyer,
    multipart: [
      ["lessonId", lessonId],
      ["question", "How was it?"],
      ["answer", "sent, without scripts"],
    ],
  });
  expect(toastOf(sent)).toMatchObject({ title: "Not enrolled" });
  expect(toastOf(sent)?.description).toContain("What you wrote is kept");
  const drafts = await openedDrafts(shop.services, bought.buyer.id);
  expect(drafts.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ answers }) => answers)).toEqual([
    said("typed, with scripts"),
    said("sent, without scripts"),
  ]);
  const stranger = await createPerson(shop.services);
  const refused = { ...draft, draftId: newId() };
  const answer = await shop.ask(`${path}/draft`, { as: stranger, method: "PUT", json: refused });
  expect(answer.status).toBe(403);
});

describe("the list", () => {
  test("has the newest first, is searched by who paid, and goes on from place to place", async () => {
    const course = await createCourse(shop.services, [[{}]], { title: "Listed" });
    const names = Array.from({ length: 3 }, (_, index) => `Listed${index}`);
    for (const name of names) {
      shop.clock.forward(1000);
      await buy(shop, { course, buyer: await createPerson(shop.services, { name }) });
    }
    const order = [...(await page("/admin/payments?q=Listed")).matchAll(/>(Listed\d)</g)];
    expect(order.map(([, name]) => name)).toEqual(["Listed2", "Listed1", "Listed0"]);
    expect(await page("/admin/payments?q=Listed1")).not.toContain("Listed2");
    expect(await page("/admin/payments?q=noone-at-all")).toContain("No payment found");
  });

  test("leaves out what nobody paid, and keeps what somebody paid whose account is gone", async () => {
    const buyer = await createPerson(shop.services, { name: "Unpaid" });
    await shop.begin({ buyer });
    const bought = await buy(shop);
    await write().deleteFrom("profiles").where("id", "=", bought.buyer.id).execute();
    const shown = await page("/admin/payments");
    expect(shown).not.toContain("Unpaid");
    expect(shown).toContain("Account gone");
    expect(await page(`/admin/payments/${bought.id}`)).toContain("The account is gone.");
  });
});

describe("what needs her", () => {
  test("says what happened, is counted in the frame, and stays until she marks it as done", async () => {
    const buyer = await createPerson(shop.services, { name: "Twice" });
    const first = await buy(shop, { buyer });
    const second = await payOnceMore(shop, first);
    const shown = await page("/admin/payments");
    expect(shown).toContain("A payment for a course that was open already");
    expect(shown).toContain("There is a payment of $197.00 by Twice for “A course”");
    expect(await page("/admin")).toMatch(/Payments<\/span><span class="desk-count">/);
    const letter = await letterTo(shop.services.config, coach.email);
    expect(letter.text).toContain("/admin/payments");
    const mark = (matter: string) =>
      shop.ask(`/admin/payments/${second.id}`, { as: coach, form: { intent: "attend", matter } });
    expect(toastOf(await mark("another"))?.title).toBe("Already done");
    expect(await page("/admin/payments")).toContain("by Twice for");
    const [matter] = await openIssues(shop.services, second.id);
    expect(toastOf(await mark(matter?.id ?? ""))?.title).toBe("Marked as done");
    expect(await page("/admin/payments")).not.toContain("by Twice for");
    const completed = lastEvent(shop, "checkout.session.completed");
    await shop.tell({ ...completed, id: `${completed.id}-again` });
    expect(await page("/admin/payments")).not.toContain("by Twice for");
  });

  test("a course deleted before the money came: restored, she enrolls with one press", async () => {
    const begun = await shop.begin();
    const set = (deletedAt: Date | null) =>
      write()
        .updateTable("products")
        .set({ deletedAt })
        .where("id", "=", begun.course.id)
        .execute();
    await set(shop.clock.now());
    await shop.tell(shop.stripe.account.pay(begun.sessionId));
    const { id } = await shop.paymentOf(begun.sessionId);
    const enrolling = () =>
      shop.ask(`/admin/payments/${id}`, { as: coach, form: { intent: "enroll" } });
    expect(await page(`/admin/payments/${id}`)).toContain("Deleted courses");
    expect(toastOf(await enrolling())?.tone).toBe("destructive");
    expect((await shop.paymentOf(begun.sessionId)).open).toEqual(["course_deleted"]);
    await set(null);
    expect(await page(`/admin/payments/${id}`)).toContain('value="enroll"');
    expect(toastOf(await enrolling())?.title).toBe("Enrolled");
    const { open, paymentIntentId } = await shop.paymentOf(begun.sessionId);
    expect(open).toEqual([]);
    expect(await seat(begun)).toMatchObject({ stripePaymentId: paymentIntentId });
  });

  test("refunding it is dealing with it", async () => {
    const first = await buy(shop);
    const second = await payOnceMore(shop, first);
    expect((await saidBy(second))?.title).toBe("Refunded");
    expect((await shop.paymentOf(second.sessionId)).open).toEqual([]);
    expect(await seat(first)).toMatchObject({ stripePaymentId: first.intent });
    const letter = await refundLetter(first);
    expect(letter.text).toContain("Your access to the course stays as it is.");
  });
});
