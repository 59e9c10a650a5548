import { describe, expect, test } from "vitest";
import { cancelDeletion, scheduleDeletion } from "~/features/accounts/deletion.server.ts";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { createCourse } from "../../support/courses.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { toastOf } from "../../support/responses.ts";
import { startSite } from "../../support/site.ts";
import { shopOfFile } from "../../support/stripe/shop.ts";

const shop = shopOfFile();

const always = { times: Number.POSITIVE_INFINITY };
const createSold = (priceCents = 19700) => createCourse(shop.services, [[{}]], { priceCents });
const person = () => createPerson(shop.services);
const paymentsOf = (buyer: Person) => shop.paymentsOf(buyer);
const sessionOf = ({ sessionId }: { sessionId: string }) => shop.account.session(sessionId);
const opened = (title: string) => ({
  title: "Welcome to Your Course!",
  description: `“${title}” is open for you. Nothing has to happen today.`,
  tone: "success",
});
async function press(slug: string, as: Person | null) {
  const answer = await shop.ask(`/courses/${slug}`, { as, form: {} });
  return { status: answer.status, to: answer.headers.get("location"), toast: toastOf(answer) };
}

describe("POST /api/create-checkout", () => {
  test("asks Stripe for a session at the price in the database and answers its URL", async () => {
    const buyer = await createPerson(shop.services, { name: "Wilhelmina" });
    const { id: productId, slug } = await createSold(4750);
    const { status, url, sessionId } = await shop.checkout(buyer, productId);
    expect([status, url]).toEqual([200, `${shop.stripe.url}/c/pay/${sessionId}`]);
    const [payment] = await paymentsOf(buyer);
    expect(payment).toMatchObject({
      ...{ status: "started", amountCents: 4750, currency: "usd" },
      ...{ checkoutSessionId: sessionId, paymentIntentId: null },
    });
    const metadata = { user: buyer.id, product: productId, payment: payment?.id };
    const { appUrl } = shop.services.config;
    expect(sessionOf({ sessionId })).toMatchObject({
      ...{ amount_total: 4750, currency: "usd", customer_email: buyer.email, metadata },
      client_reference_id: payment?.id,
      success_url: `${appUrl}/enrollment-success?session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: `${appUrl}/courses/${slug}`,
    });
    const { params } = shop.stripe.calls.at(-1) ?? {};
    expect(params?.payment_intent_data.metadata).toEqual(metadata);
    // So the privacy policy promises.
    expect(JSON.stringify(params)).not.toContain(buyer.name);
  });

  test.each(["{", '{"productId":"x"}', '{"productId":["x"]}'])(
    "refuses the body %s",
    async (body) => {
      const as = await person();
      const answer = await shop.ask("/api/create-checkout", { as, method: "POST", body });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error: { code: "invalid", field: "productId" } });
    },
  );

  test("sells nothing to visitors and enrolled students, and no course that is not for sale", async () => {
    const { id } = await createSold();
    expect(await shop.checkout(null, id)).toMatchObject({ status: 401, code: "unauthenticated" });
    const enrolled = await person();
    await enroll(shop.services, { userId: enrolled.id, productId: id });
    expect(await shop.checkout(enrolled, id)).toMatchObject({ status: 409, code: "conflict" });
    const buyer = await person();
    for (const change of [{ active: false }, { active: true, deletedAt: new Date() }]) {
      await shop.changeCourse(id, change);
      for (const as of [buyer, shop.coach])
        expect(await shop.checkout(as, id)).toMatchObject({ status: 404, code: "not_found" });
    }
    const missing = "01a20141-0000-7000-8000-000000000000";
    expect(await shop.checkout(buyer, missing)).toMatchObject({ status: 404 });
    const comingSoon = await createSold();
    await shop.changeCourse(comingSoon.id, { comingSoon: true });
    expect(await shop.checkout(buyer, comingSoon.id)).toMatchObject({ status: 409 });
    expect(await paymentsOf(buyer)).toEqual([]);
  });

  test("opens a free course at once, without Stripe", async () => {
    const buyer = await person();
    const { id, slug } = await createSold(0);
    const calls = shop.stripe.calls.length;
    const lessons = `${shop.services.config.appUrl}/courses/${slug}/learn`;
    const presses = [shop.checkout(buyer, id), shop.checkout(buyer, id)];
    for (const { status, url } of [...(await Promise.all(presses)), await shop.checkout(buyer, id)])
      expect([status, url]).toEqual([200, lessons]);
    expect(await shop.enrollmentOf({ buyer })).toMatchObject({ stripePaymentId: null });
    expect(shop.stripe.calls.length).toBe(calls);
    expect(await paymentsOf(buyer)).toEqual([]);
  });

  test.each(["open", "being paid slowly", "unknown, for Stripe fails"])(
    "opens a course that became free while its checkout is %s",
    async (state) => {
      const { buyer, course, sessionId } = await shop.begin();
      if (state === "being paid slowly") shop.account.pay(sessionId, { slowly: true });
      if (state.startsWith("unknown")) shop.stripe.faults.plan(500);
      await shop.changeCourse(course.id, { priceCents: 0 });
      expect((await shop.checkout(buyer, course.id)).status).toBe(200);
      expect(await shop.enrollmentOf({ buyer })).toMatchObject({ stripePaymentId: null });
      if (state === "open") expect(sessionOf({ sessionId }).status).toBe("expired");
    },
  );

  test("is limited for each user", async () => {
    const [one, other] = [await person(), await person()];
    const { id } = await createSold();
    const statuses = [];
    for (let n = 0; n < 21; n += 1) statuses.push((await shop.checkout(one, id)).status);
    expect(statuses).toEqual([...Array(20).fill(200), 429]);
    expect((await shop.checkout(other, id)).status).toBe(200);
  });

  test("refuses an account whose deletion is scheduled until that is cancelled", async () => {
    const [buyer, { id }] = [await person(), await createSold()];
    await scheduleDeletion(shop.services, buyer.id);
    const json = { productId: id };
    const refused = await shop.ask("/api/create-checkout", { as: buyer, json });
    expect(refused.status).toBe(409);
    const message = "Your account will be deleted. To take this course, keep your account first.";
    expect(await refused.json()).toEqual({ error: { code: "conflict", message } });
    await cancelDeletion(shop.services, buyer.id);
    expect(await shop.checkout(buyer, id)).toMatchObject({ status: 200 });
  });
});

describe("a repeated checkout", () => {
  test("is one session, also from five tabs at once", async () => {
    const [buyer, { id }] = [await person(), await createSold()];
    const before = shop.account.sessions.size;
    const presses = await Promise.all(Array.from({ length: 5 }, () => shop.checkout(buyer, id)));
    const later = await shop.checkout(buyer, id);
    expect(new Set([...presses, later].map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(shop.account.sessions.size).toBe(before + 1);
    expect(await paymentsOf(buyer)).toHaveLength(1);
  });

  test("at another price ends the old session first: never two that can be paid", async () => {
    const { buyer, course, ...first } = await shop.begin();
    await shop.changeCourse(course.id, { priceCents: 9900 });
    shop.stripe.faults.plan(500, { ...always, path: /expire/ });
    expect((await shop.checkout(buyer, course.id)).status).toBe(503);
    expect(await paymentsOf(buyer)).toHaveLength(1);
    shop.stripe.faults.forget();
    const next = await shop.checkout(buyer, course.id);
    expect(sessionOf(next).amount_total).toBe(9900);
    expect(sessionOf(first).status).toBe("expired");
    expect((await paymentsOf(buyer)).map(({ status }) => status)).toEqual(["expired", "started"]);
  });

  test("after the session has expired makes another one", async () => {
    const { buyer, course, sessionId } = await shop.begin();
    shop.account.expire(sessionId);
    const next = await shop.checkout(buyer, course.id);
    expect(next.sessionId).not.toBe(sessionId);
    expect(sessionOf(next).status).toBe("open");
  });

  test("after a payment that the site has not heard of opens the course instead", async () => {
    const { buyer, course, sessionId } = await shop.begin();
    shop.account.pay(sessionId);
    expect(await shop.checkout(buyer, course.id)).toMatchObject({ status: 409 });
    expect(await shop.enrollmentOf({ buyer })).toBeDefined();
    expect(await paymentsOf(buyer)).toHaveLength(1);
  });

  test("after the Stripe keys were replaced makes another session, which opens the course", async () => {
    const begun = await shop.begin();
    shop.account.sessions.delete(begun.sessionId);
    const { sessionId } = await shop.begin(begun);
    expect(await paymentsOf(begun.buyer)).toMatchObject([
      { checkoutSessionId: begun.sessionId, status: "expired" },
      { checkoutSessionId: sessionId, status: "started" },
    ]);
    const { intent } = await shop.pay({ ...begun, sessionId });
    expect(await shop.enrollmentOf(begun)).toMatchObject({ stripePaymentId: intent });
    expect(await shop.queued("payments.receipt", begun.buyer)).toBe(1);
  });

  test("with a new title in between knows each of the two sessions", async () => {
    const [buyer, course] = [await person(), await createSold()];
    shop.stripe.faults.plan("hang-after", { path: /^POST/ });
    const slow = shop.checkout(buyer, course.id);
    while (shop.stripe.faults.hanging === 0) await new Promise(setImmediate);
    await shop.changeCourse(course.id, { title: "Its new title" });
    const quick = await shop.checkout(buyer, course.id);
    shop.stripe.faults.release();
    const { sessionId } = await slow;
    expect(sessionId).not.toBe(quick.sessionId);
    const known = (await paymentsOf(buyer)).map(({ checkoutSessionId }) => checkoutSessionId);
    expect(known).toEqual(expect.arrayContaining([sessionId, quick.sessionId]));
  });
});

test("a second session of the same checkout opens the course as well, once; a third is an issue", async () => {
  const begun = await shop.begin();
  const { id } = await shop.paymentOf(begun);
  const another = () => ({ ...begun, sessionId: shop.createSession(begun, id) });
  const second = another();
  const event = shop.account.pay(second.sessionId);
  await Promise.all(Array.from({ length: 5 }, () => shop.tell(event)));
  expect(await shop.enrollmentOf(begun)).toMatchObject({ stripePaymentId: shop.intentOf(second) });
  expect(await paymentsOf(begun.buyer)).toMatchObject([
    { checkoutSessionId: begun.sessionId, status: "started" },
    { checkoutSessionId: second.sessionId, status: "paid", amountCents: 19700 },
  ]);
  expect((await shop.paymentOf(second)).open).toEqual([]);
  expect(await shop.queued("payments.receipt", begun.buyer)).toBe(1);
  const third = another();
  await shop.pay(third);
  expect(await shop.enrollmentOf(begun)).toMatchObject({ stripePaymentId: shop.intentOf(second) });
  const standing = { status: "paid", open: ["already_enrolled"] };
  expect(await shop.paymentOf(third)).toMatchObject(standing);
});

describe("a checkout while Stripe fails", () => {
  test("whose answer is lost permanently is found by the next press", async () => {
    const [buyer, { id }] = [await person(), await createSold()];
    const before = shop.account.sessions.size;
    shop.stripe.faults.plan("reset-after", { times: 4 });
    expect(await shop.checkout(buyer, id)).toMatchObject({ status: 503, code: "unavailable" });
    shop.stripe.faults.forget();
    expect(sessionOf(await shop.checkout(buyer, id)).status).toBe("open");
    expect(shop.account.sessions.size).toBe(before + 1);
    expect(await paymentsOf(buyer)).toHaveLength(1);
  });

  test("with a fault that Stripe repeats to the same key has another key at the next press", async () => {
    const [buyer, { id }] = [await person(), await createSold()];
    shop.stripe.faults.plan(500);
    expect(await shop.checkout(buyer, id)).toMatchObject({ status: 503 });
    expect(await shop.checkout(buyer, id)).toMatchObject({ status: 200 });
  });

  test("leaves out an email address that Stripe does not accept", async () => {
    const [buyer, { id }] = [await person(), await createSold()];
    const profiles = shop.services.db.write.updateTable("profiles").set({ email: "no-address" });
    await profiles.where("id", "=", buyer.id).execute();
    expect(sessionOf(await shop.checkout(buyer, id)).customer_email).toBeNull();
  });

  test("sells nothing twice while the earlier session cannot be read", async () => {
    const { buyer, course } = await shop.begin();
    shop.stripe.faults.plan(500, { path: /^GET/ });
    expect(await shop.checkout(buyer, course.id)).toMatchObject({ status: 503 });
    expect(await paymentsOf(buyer)).toHaveLength(1);
  });
});

describe("POST /courses/{slug}, the enroll button", () => {
  test("leads visitors to sign-in", async () => {
    const { slug } = await createSold();
    expect(await press(slug, null)).toEqual({
      status: 303,
      to: `/auth?redirect=/courses/${slug}`,
      toast: {
        title: "Authentication required",
        description: "Please sign in to purchase this course.",
        tone: "destructive",
      },
    });
    const free = await press((await createSold(0)).slug, null);
    expect(free.toast).toEqual({ title: "Please sign in to enroll in this course" });
  });

  test("opens a free course once and leads to its lessons", async () => {
    const [buyer, { slug }] = [await person(), await createSold(0)];
    const to = `/courses/${slug}/learn`;
    expect(await press(slug, buyer)).toEqual({ status: 303, to, toast: opened("A course") });
    expect(await press(slug, buyer)).toEqual({ status: 303, to, toast: null });
  });

  test("says on the course's page that Stripe fails, or that the course is inactive", async () => {
    const { id, slug } = await createSold();
    shop.stripe.faults.plan(500);
    const failed = {
      title: "Checkout failed",
      description: "Failed to start checkout. Please try again.",
      tone: "destructive",
    };
    const answer = await press(slug, await person());
    expect(answer).toEqual({ status: 303, to: `/courses/${slug}`, toast: failed });
    await shop.changeCourse(id, { active: false });
    const { toast } = await press(slug, shop.coach);
    expect(toast).toMatchObject({ title: "Checkout failed", description: /./ });
  });

  test("leads an account whose deletion is scheduled to that choice, and then back", async () => {
    const [buyer, { slug }] = [await person(), await createSold()];
    await scheduleDeletion(shop.services, buyer.id);
    const choice = `/account/deletion-pending?redirect=/courses/${slug}`;
    expect(await press(slug, buyer)).toMatchObject({
      ...{ status: 303, to: choice },
      toast: {
        title: "Your account will be deleted.",
        description: "To take this course, keep your account first.",
      },
    });
    const keep = async (path: string) => {
      const { headers } = await shop.ask(path, { as: buyer, form: { intent: "keep" } });
      return headers.get("location");
    };
    expect(await keep(choice)).toBe(`/courses/${slug}`);
    expect((await press(slug, buyer)).to).toMatch(/\/c\/pay\//);
    await scheduleDeletion(shop.services, buyer.id);
    const elsewhere = "/account/deletion-pending?redirect=//elsewhere.example/";
    expect(await keep(elsewhere)).toBe("/my-courses");
  });

  test("may lead to Stripe by the policy of course pages, and of no others", async () => {
    const { slug } = await createSold();
    const policyOf = async (path: string, as: Person | null) =>
      (await shop.ask(path, { as })).headers.get("content-security-policy");
    for (const as of [null, await person()])
      for (const path of [`/courses/${slug}`, "/courses/seven-days-of-calm"])
        expect(await policyOf(path, as)).toContain(`form-action 'self' ${shop.stripe.url};`);
    for (const path of ["/", "/courses", "/enrollment-success", "/auth"])
      expect(await policyOf(path, null)).toContain("form-action 'self';");
  });
});

test("without Stripe keys nothing is sold and nothing leads elsewhere; free courses open", async () => {
  const site = await startSite();
  try {
    const as = await createPerson(site.services);
    const { id, slug } = await createCourse(site.services, []);
    const answer = await site.ask("/api/create-checkout", { as, json: { productId: id } });
    expect(answer.status).toBe(503);
    expect(toastOf(await site.ask(`/courses/${slug}`, { as, form: {} }))?.title).toBe("Enrollment");
    const { headers } = await site.ask(`/courses/${slug}`);
    expect(headers.get("content-security-policy")).toContain("form-action 'self';");
    const free = await createCourse(site.services, [], { priceCents: 0 });
    const pressed = await site.ask(`/courses/${free.slug}`, { as, form: {} });
    expect(pressed.headers.get("location")).toBe(`/courses/${free.slug}/learn`);
    expect(toastOf(pressed)).toEqual(opened("A course"));
  } finally {
    await site.close();
  }
});
