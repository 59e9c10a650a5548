import { describe, expect, test } from "vitest";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse } from "../../support/courses.ts";
import { openedDrafts } from "../../support/opened-journal.ts";
import { openIssues } from "../../support/payments.ts";
import { createPerson } from "../../support/people.ts";
import { hidden, toastOf } from "../../support/responses.ts";
import { type Bought, shopOfFile } from "../../support/stripe/shop.ts";

const shop = shopOfFile();

const always = { times: Number.POSITIVE_INFINITY };
const page = ({ id }: { id: string }) => shop.read(`/admin/payments/${id}`);
const coursePage = ({ course, buyer }: Bought) => shop.read(`/courses/${course.slug}`, buyer);
const isEnrolled = async (bought: Bought) => (await shop.enrollmentOf(bought)) !== undefined;
const refundsOf = ({ intent }: Bought) =>
  [...shop.account.refunds.values()].filter((one) => one.payment_intent === intent);
const refundCalls = () =>
  shop.stripe.calls.filter(({ method, path }) => /^POST .*refunds/.test(`${method} ${path}`));

/** Opens the payment's page as the coach does. @returns what its refund button sends */
async function open(bought: Bought, html?: string) {
  html ??= await page(bought);
  const [cents = ""] = hidden(html, "cents");
  const [left = ""] = hidden(html, "left");
  const [attempt = ""] = hidden(html, "attempt");
  return () => shop.press(bought, { intent: "refund", cents, left, attempt });
}
const pressRefund = async (bought: Bought) => toastOf(await (await open(bought))());
const complete = ({ buyer, course }: Bought, at: number, answer = "") =>
  completeLesson(shop.services, {
    userId: buyer.id,
    lessonId: course.modules.flatMap(({ lessons }) => lessons)[at]?.id ?? "",
    answers: answer ? [{ question: "How was it?", answer }] : [],
    drafts: [],
  });

describe("POST /admin/payments/{id}, refund", () => {
  test("returns all of it, ends the access in the coach's name and sends one email", async () => {
    const bought = await shop.buy();
    const answer = await (await open(bought))();
    expect(answer.headers.get("location")).toBe(`/admin/payments/${bought.id}`);
    expect(toastOf(answer)).toEqual({ title: "Refunded", tone: "success" });
    expect(refundsOf(bought)).toMatchObject([{ amount: 19700, reason: "requested_by_customer" }]);
    await shop.tell("charge.refunded");
    expect(await isEnrolled(bought)).toBe(false);
    const former = await shop.formerEnrollmentsOf(bought);
    expect(former).toMatchObject([{ removedBy: shop.coach.id, reason: "refunded" }]);
    const { subject, text } = await shop.emailAbout(bought.buyer, /^Your refund/);
    expect(subject).toBe("Your refund for “A course”");
    expect(text).toContain("$197.00");
    expect(text).toContain("The course is closed to you from now on.");
    expect(text).toContain("/my-courses/journal");
    const after = await page(bought);
    expect(after).toContain("Refunded");
    expect(after).not.toContain('value="refund"');
  });

  test.each(["twice on one page", "in two tabs"])(
    "pressed %s at once is one refund",
    async (how) => {
      const bought = await shop.buy();
      const first = await open(bought);
      const second = how === "in two tabs" ? await open(bought) : first;
      const answers = await Promise.all([first(), second()]);
      expect(refundsOf(bought)).toHaveLength(1);
      expect(answers.map((answer) => toastOf(answer)?.tone)).not.toContain("destructive");
      expect((await shop.paymentOf(bought)).refundedCents).toBe(19700);
      expect(await shop.queued("payments.refunded", bought.buyer)).toBe(1);
      // A page from before says so as well.
      expect(toastOf(await first())?.title).toBe("Already refunded");
      expect(refundsOf(bought)).toHaveLength(1);
    },
  );

  test("returns what is left after a part, but not another amount than the page shows", async () => {
    const bought = await shop.buy();
    const old = await open(bought);
    shop.account.refund({ payment_intent: bought.intent, amount: "5000" });
    expect(toastOf(await old())?.description).toContain("The amount that is left has changed");
    expect(refundsOf(bought)).toHaveLength(1);
    expect(await coursePage(bought)).toContain("You can have your $147.00 back until ");
    const shown = await page(bought);
    expect(shown).toContain("Partly refunded");
    expect(shown).toContain("$50.00 of $197.00 went back");
    expect(shown).toContain("Refund $147.00");
    await pressRefund(bought);
    expect(refundsOf(bought).map(({ amount }) => amount)).toEqual([5000, 14700]);
    expect(await isEnrolled(bought)).toBe(false);
  });

  test("is possible after the terms' end", async () => {
    const bought = await shop.buy();
    shop.clock.forwardDays(15);
    expect(await page(bought)).toContain("no longer refundable");
    expect((await pressRefund(bought))?.title).toBe("Refunded");
  });

  test("resolves the issue of a second payment, and the first keeps the access", async () => {
    const first = await shop.buy();
    const second = await shop.payOnceMore(first);
    expect((await pressRefund(second))?.title).toBe("Refunded");
    expect((await shop.paymentOf(second)).open).toEqual([]);
    expect(await shop.enrollmentOf(first)).toMatchObject({ stripePaymentId: first.intent });
    const { text } = await shop.emailAbout(first.buyer, /^Your refund/);
    expect(text).toContain("Your access to the course stays as it is.");
  });

  test("needs a payment that is there and was paid", async () => {
    const { id } = await shop.paymentOf(await shop.begin());
    const form = { intent: "refund", cents: "19700", left: "19700", attempt: "x" };
    const said = async (id: string) => toastOf(await shop.press({ id }, form))?.description;
    expect(await said(id)).toContain("never paid");
    expect(await said("none")).toContain("no such payment");
  });
});

describe("POST /admin/payments/{id}, a refund that goes wrong", () => {
  test.each([
    ["Stripe fails", "nothing was refunded", () => shop.stripe.faults.plan(500, always)],
    [
      "the balance is too small",
      "does not hold this amount",
      () => {
        shop.account.balance = 100;
      },
    ],
    [
      "the bank is deciding",
      "The bank is deciding",
      ({ intent }: Bought) => void shop.account.dispute(intent),
    ],
  ] satisfies [string, string, (bought: Bought) => void][])(
    "says so and refunds nothing: %s",
    async (reason, words, happens) => {
      const bought = await shop.buy();
      const send = await open(bought);
      happens(bought);
      expect(toastOf(await send())?.description).toContain(words);
      expect(refundsOf(bought)).toEqual([]);
      if (reason === "the bank is deciding") return;
      expect(await isEnrolled(bought)).toBe(true);
      shop.stripe.faults.forget();
      shop.account.balance = Number.POSITIVE_INFINITY;
      expect((await pressRefund(bought))?.title).toBe("Refunded");
    },
  );

  test("sends the request again with its key when one answer is lost", async () => {
    const bought = await shop.buy();
    shop.stripe.faults.plan("reset-after", { path: /POST .*refunds/ });
    const before = refundCalls().length;
    expect((await pressRefund(bought))?.title).toBe("Refunded");
    const keys = refundCalls().map(({ key }) => key);
    expect(keys).toHaveLength(before + 2);
    expect(new Set(keys.slice(before)).size).toBe(1);
    expect(refundsOf(bought)).toHaveLength(1);
  });

  test("says that it is not certain when every answer is lost; the next press finds it done", async () => {
    const bought = await shop.buy();
    shop.stripe.faults.plan("reset-after", { ...always, path: /POST .*refunds/ });
    const lost = await (await open(bought))();
    expect(toastOf(lost)?.description).toContain("not certain");
    expect(await isEnrolled(bought)).toBe(true);
    shop.stripe.faults.forget();
    const next = await open(bought, await shop.read(lost.headers.get("location") ?? ""));
    expect(toastOf(await next())?.title).toBe("Already refunded");
    expect(refundsOf(bought)).toHaveLength(1);
    expect(await isEnrolled(bought)).toBe(false);
  });

  test("says that Stripe took it when Stripe falls silent then; the webhook ends the access", async () => {
    const bought = await shop.buy();
    const send = await open(bought);
    // The first question is answered, those after the refund are not.
    shop.stripe.faults.plan(500, { ...always, path: /GET .*payment_intents/, after: 1 });
    expect(toastOf(await send())?.description).toContain("Stripe has taken it");
    expect(await isEnrolled(bought)).toBe(true);
    shop.stripe.faults.forget();
    await shop.tell("charge.refunded");
    expect(await isEnrolled(bought)).toBe(false);
  });
});

test("GET /admin/enrollments/{id}: shows the payment and how it stands by the terms", async () => {
  const enrollmentPage = async (bought: Bought) =>
    shop.read(`/admin/enrollments/${(await shop.enrollmentOf(bought))?.id}`);
  const bought = await shop.buy();
  const fresh = await enrollmentPage(bought);
  for (const words of [
    "$197.00 on ",
    "By the terms, this can be refunded until ",
    "So far: 0 of 4 lessons completed.",
    "Refund $197.00",
    'href="https://dashboard.stripe.com/test/payments/pi_',
    "No money is refunded by this",
  ])
    expect(fresh).toContain(words);
  for (const at of [0, 1]) await complete(bought, at, "nobody-elses-words");
  const studied = await enrollmentPage(bought);
  expect(studied).toContain("More than 25% of the lessons are completed: 2 of 4 lessons completed");
  expect(studied).toContain("You may still refund it. That is your decision.");
  expect(studied).not.toContain("nobody-elses-words");
  const late = await shop.buy();
  shop.clock.forwardDays(15);
  expect(await enrollmentPage(late)).toContain("The 14 days ended on ");
});

test("GET /courses/{slug}: tells the student until when a refund is possible, and no longer", async () => {
  const bought = await shop.buy();
  expect(await coursePage(bought)).toMatch(
    /You can have your \$197\.00 back until \w+ \d+, \d{4}, \d+:\d\d [AP]M\sUTC, .* So far: 0 of 4 lessons completed\. To ask for it, write to \S+@\S+/,
  );
  await complete(bought, 0);
  expect(await coursePage(bought)).toContain("So far: 1 of 4 lessons completed.");
  shop.clock.forwardDays(15);
  const late = await coursePage(bought);
  expect(late).toContain("Continue Learning");
  expect(late).not.toContain("You can have your");
});

test("POST and PUT /courses/{slug}/learn: what is written when the refund comes is saved as drafts", async () => {
  const bought = await shop.buy();
  const { buyer: as, course } = bought;
  const path = `/courses/${course.slug}/learn`;
  const lessonId = course.modules[0]?.lessons[0]?.id ?? "";
  expect((await pressRefund(bought))?.title).toBe("Refunded");
  const said = (answer: string) => [{ question: "How was it?", answer }];
  const draft = { draftId: newId(), lessonId, revision: 1, answers: said("typed, with scripts") };
  const saved = await shop.ask(`${path}/draft`, { as, method: "PUT", json: draft });
  expect(saved.status).toBe(204);
  const sent = await shop.ask(path, {
    as,
    multipart: [
      ["lessonId", lessonId],
      ["question", "How was it?"],
      ["answer", "sent, without scripts"],
    ],
  });
  expect(toastOf(sent)).toMatchObject({ title: "Not enrolled" });
  expect(toastOf(sent)?.description).toContain("What you wrote is kept");
  const drafts = await openedDrafts(shop.services, as.id);
  expect(drafts.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ answers }) => answers)).toEqual([
    said("typed, with scripts"),
    said("sent, without scripts"),
  ]);
  const stranger = await createPerson(shop.services);
  const json = { ...draft, draftId: newId() };
  const refused = await shop.ask(`${path}/draft`, { as: stranger, method: "PUT", json });
  expect(refused.status).toBe(403);
});

describe("GET /admin/payments", () => {
  test("lists the newest first and is searched by payer", async () => {
    const course = await createCourse(shop.services, [[{}]], { title: "Listed" });
    for (const name of ["Listed0", "Listed1", "Listed2"]) {
      shop.clock.forward(1000);
      await shop.buy({ course, buyer: await createPerson(shop.services, { name }) });
    }
    const order = [...(await shop.read("/admin/payments?q=Listed")).matchAll(/>(Listed\d)</g)];
    expect(order.map(([, name]) => name)).toEqual(["Listed2", "Listed1", "Listed0"]);
    expect(await shop.read("/admin/payments?q=Listed1")).not.toContain("Listed2");
    expect(await shop.read("/admin/payments?q=noone-at-all")).toContain("No payment found");
  });

  test("leaves out what was not paid, and keeps payments of deleted accounts", async () => {
    await shop.begin({ buyer: await createPerson(shop.services, { name: "Unpaid" }) });
    const bought = await shop.buy();
    await shop.deletePerson(bought.buyer);
    const shown = await shop.read("/admin/payments");
    expect(shown).not.toContain("Unpaid");
    expect(shown).toContain("Account gone");
    expect(await page(bought)).toContain("The account is gone.");
  });

  test("shows an issue, counted on every page and emailed, until it is marked as done", async () => {
    const buyer = await createPerson(shop.services, { name: "Twice" });
    const second = await shop.payOnceMore(await shop.buy({ buyer }));
    const list = () => shop.read("/admin/payments");
    const shown = await list();
    expect(shown).toContain("A payment for a course that was open already");
    expect(shown).toContain("There is a payment of $197.00 by Twice for “A course”");
    expect(await shop.read("/admin")).toMatch(/Payments<\/span><span class="admin-count">/);
    const { text } = await shop.emailAbout(shop.coach, /that was open already/);
    expect(text).toContain("/admin/payments");
    const resolve = async (issue = "") =>
      toastOf(await shop.press(second, { intent: "resolve", issue }))?.title;
    expect(await resolve("another")).toBe("Already done");
    expect(await list()).toContain("by Twice for");
    const [issue] = await openIssues(shop.services, second.id);
    expect(await resolve(issue?.id)).toBe("Marked as done");
    await shop.tellAgain(shop.lastEvent("checkout.session.completed"));
    expect(await list()).not.toContain("by Twice for");
  });
});

test("POST /admin/payments/{id}, enroll: once the deleted course is restored", async () => {
  const begun = await shop.begin();
  const { id: courseId } = begun.course;
  await shop.changeCourse(courseId, { deletedAt: shop.clock.now() });
  const { id, intent } = await shop.pay(begun);
  const enroll = async () => toastOf(await shop.press({ id }, { intent: "enroll" }));
  expect(await page({ id })).toContain("Deleted courses");
  expect((await enroll())?.tone).toBe("destructive");
  expect((await shop.paymentOf(begun)).open).toEqual(["course_deleted"]);
  await shop.changeCourse(courseId, { deletedAt: null });
  expect(await page({ id })).toContain('value="enroll"');
  expect((await enroll())?.title).toBe("Enrolled");
  expect((await shop.paymentOf(begun)).open).toEqual([]);
  expect(await shop.enrollmentOf(begun)).toMatchObject({ stripePaymentId: intent });
});
