import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { toastOf } from "../../support/answers.ts";
import { createCourse } from "../../support/courses.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { startSite } from "../../support/site.ts";
import { openShop, type Shop } from "../../support/stripe/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterEach(() => shop.stripe.faults.forget());
afterAll(() => shop.close());

const course = (priceCents = 19700) => createCourse(shop.services, [[{}]], { priceCents });
const person = () => createPerson(shop.services);
const opened = (title: string) => ({
  title: "Welcome to Your Course!",
  description: `“${title}” is open for you. Nothing has to happen today.`,
  tone: "success",
});
const setPrice = (id: string, priceCents: number) =>
  shop.services.db.write.updateTable("products").set({ priceCents }).where("id", "=", id).execute();
const rowsOf = ({ id }: Person) =>
  shop.services.db.write
    .selectFrom("payments")
    .selectAll()
    .where("userId", "=", id)
    .orderBy("createdAt")
    .orderBy("id")
    .execute();

describe("POST /api/create-checkout", () => {
  test("asks Stripe for a session at the price in the database, and answers its address", async () => {
    const buyer = await createPerson(shop.services, { name: "Wilhelmina" });
    const { id: productId, slug } = await course(4750);
    const { status, url, sessionId } = await shop.checkout(buyer, productId);
    expect([status, url]).toEqual([200, `${shop.stripe.url}/c/pay/${sessionId}`]);
    const [row] = await rowsOf(buyer);
    expect(row).toMatchObject({
      status: "started",
      amountCents: 4750,
      currency: "usd",
      checkoutSessionId: sessionId,
      paymentIntentId: null,
    });
    const { appUrl } = shop.services.config;
    expect(shop.stripe.account.session(sessionId)).toMatchObject({
      amount_total: 4750,
      currency: "usd",
      customer_email: buyer.email,
      client_reference_id: row?.id,
      metadata: { user: buyer.id, product: productId, payment: row?.id },
      success_url: `${appUrl}/enrollment-success?session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: `${appUrl}/courses/${slug}`,
    });
    const { params } = shop.stripe.calls.at(-1) ?? {};
    expect(params?.payment_intent_data.metadata).toEqual({
      user: buyer.id,
      product: productId,
      payment: row?.id,
    });
    // So the privacy policy promises.
    expect(JSON.stringify(params)).not.toContain(buyer.name);
  });

  test.each([
    ["nothing", undefined],
    ["no id", { productId: "x" }],
    ["a list", { productId: ["x"] }],
  ])("says what is missing when it is sent %s", async (_, json) => {
    const as = await person();
    const body = json === undefined ? "{" : JSON.stringify(json);
    const answer = await shop.ask("/api/create-checkout", { as, method: "POST", body });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: "invalid", field: "productId" } });
  });

  test("sells nothing to nobody, to somebody enrolled, or what is not for sale", async () => {
    const { id } = await course();
    expect(await shop.checkout(null, id)).toMatchObject({ status: 401, code: "unauthenticated" });
    const enrolled = await person();
    await enroll(shop.services, { userId: enrolled.id, productId: id });
    expect(await shop.checkout(enrolled, id)).toMatchObject({ status: 409, code: "conflict" });
    const buyer = await person();
    const admin = await createPerson(shop.services, { role: "admin" });
    for (const change of [{ active: false }, { active: true, deletedAt: new Date() }]) {
      await shop.services.db.write
        .updateTable("products")
        .set(change)
        .where("id", "=", id)
        .execute();
      for (const as of [buyer, admin])
        expect(await shop.checkout(as, id)).toMatchObject({ status: 404, code: "not_found" });
    }
    const missing = "01a20141-0000-7000-8000-000000000000";
    expect(await shop.checkout(buyer, missing)).toMatchObject({ status: 404 });
    expect(await rowsOf(buyer)).toEqual([]);
  });

  test("does not sell a course that is only announced", async () => {
    const { id } = await createCourse(shop.services, [], { slug: "blue-dot-method" });
    expect(await shop.checkout(await person(), id)).toMatchObject({ status: 409 });
  });

  test("opens a course without a price at once, and asks nobody", async () => {
    const buyer = await person();
    const { id, slug } = await course(0);
    const calls = shop.stripe.calls.length;
    const lessons = `${shop.services.config.appUrl}/courses/${slug}/learn`;
    const presses = [shop.checkout(buyer, id), shop.checkout(buyer, id)];
    for (const { status, url } of [...(await Promise.all(presses)), await shop.checkout(buyer, id)])
      expect([status, url]).toEqual([200, lessons]);
    expect(await shop.enrollmentsOf(buyer)).toEqual([{ productId: id, stripePaymentId: null }]);
    expect(shop.stripe.calls.length).toBe(calls);
    expect(await rowsOf(buyer)).toEqual([]);
  });

  test("a course that has become free opens, and what was begun for it cannot be paid any more", async () => {
    const buyer = await person();
    const { id } = await course();
    const { sessionId } = await shop.checkout(buyer, id);
    await setPrice(id, 0);
    expect((await shop.checkout(buyer, id)).status).toBe(200);
    expect(shop.stripe.account.session(sessionId).status).toBe("expired");
    expect(await shop.enrollmentsOf(buyer)).toEqual([{ productId: id, stripePaymentId: null }]);
  });

  test("a course that has become free opens while Stripe is away, or the money still on its way", async () => {
    for (const slowly of [true, false]) {
      const { buyer, course: wanted, sessionId } = await shop.begin();
      if (slowly) shop.stripe.account.pay(sessionId, { slowly });
      else shop.stripe.faults.plan("reset", { times: 4 });
      await setPrice(wanted.id, 0);
      expect((await shop.checkout(buyer, wanted.id)).status).toBe(200);
      expect(await shop.enrollmentsOf(buyer)).toHaveLength(1);
      shop.stripe.faults.forget();
    }
  });

  test("an administrator buys like anybody", async () => {
    const admin = await createPerson(shop.services, { role: "admin" });
    expect((await shop.checkout(admin, (await course()).id)).status).toBe(200);
  });

  test("is limited, each for herself", async () => {
    const [one, other] = [await person(), await person()];
    const { id } = await course();
    const statuses = [];
    for (let n = 0; n < 21; n += 1) statuses.push((await shop.checkout(one, id)).status);
    expect(statuses).toEqual([...Array(20).fill(200), 429]);
    expect((await shop.checkout(other, id)).status).toBe(200);
  });
});

describe("pressed more than once", () => {
  test("twice, or at once from five tabs: one session", async () => {
    const buyer = await person();
    const { id } = await course();
    const before = shop.stripe.account.sessions.size;
    const presses = await Promise.all(Array.from({ length: 5 }, () => shop.checkout(buyer, id)));
    const later = await shop.checkout(buyer, id);
    expect(new Set([...presses, later].map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(shop.stripe.account.sessions.size).toBe(before + 1);
    expect(await rowsOf(buyer)).toHaveLength(1);
  });

  test("at another price, while the old session cannot be ended: no second one beside it", async () => {
    const [buyer, { id }] = [await person(), await course()];
    const first = await shop.checkout(buyer, id);
    await setPrice(id, 9900);
    shop.stripe.faults.plan(500, { times: Infinity, path: /expire/ });
    expect((await shop.checkout(buyer, id)).status).toBe(503);
    expect(await rowsOf(buyer)).toHaveLength(1);
    shop.stripe.faults.forget();
    const next = await shop.checkout(buyer, id);
    expect(next.status).toBe(200);
    expect(next.sessionId).not.toBe(first.sessionId);
  });

  test("at another price: a new session, and the old one cannot be paid any more", async () => {
    const buyer = await person();
    const { id } = await course();
    const { sessionId: old } = await shop.checkout(buyer, id);
    await setPrice(id, 9900);
    const { sessionId } = await shop.checkout(buyer, id);
    expect(shop.stripe.account.session(sessionId).amount_total).toBe(9900);
    expect(shop.stripe.account.session(old).status).toBe("expired");
    expect((await rowsOf(buyer)).map(({ status }) => status)).toEqual(["expired", "started"]);
  });

  test("after the session has expired: a new one", async () => {
    const buyer = await person();
    const { id } = await course();
    const { sessionId: old } = await shop.checkout(buyer, id);
    shop.stripe.account.expire(old);
    const { sessionId } = await shop.checkout(buyer, id);
    expect(sessionId).not.toBe(old);
    expect(shop.stripe.account.session(sessionId).status).toBe("open");
  });

  test("after paying, before the site has heard of it: the course opens instead of being sold twice", async () => {
    const { buyer, course: bought, sessionId } = await shop.begin();
    shop.stripe.account.pay(sessionId);
    expect(await shop.checkout(buyer, bought.id)).toMatchObject({ status: 409 });
    expect(await shop.enrollmentsOf(buyer)).toHaveLength(1);
    expect(await rowsOf(buyer)).toHaveLength(1);
  });
});

describe("when Stripe is bad to reach", () => {
  test("the answer is lost for good: the next press finds the session that was made", async () => {
    const buyer = await person();
    const { id } = await course();
    const before = shop.stripe.account.sessions.size;
    shop.stripe.faults.plan("reset-after", { times: 4 });
    expect(await shop.checkout(buyer, id)).toMatchObject({ status: 503, code: "unavailable" });
    shop.stripe.faults.forget();
    const { sessionId } = await shop.checkout(buyer, id);
    expect(shop.stripe.account.sessions.size).toBe(before + 1);
    expect(shop.stripe.account.session(sessionId).status).toBe("open");
    expect(await rowsOf(buyer)).toHaveLength(1);
  });

  test("Stripe breaks in the middle and repeats that to the same key: the next press has another", async () => {
    const buyer = await person();
    const { id } = await course();
    shop.stripe.faults.plan(500);
    expect(await shop.checkout(buyer, id)).toMatchObject({ status: 503 });
    expect(await shop.checkout(buyer, id)).toMatchObject({ status: 200 });
  });

  test("an address that Stripe does not take is left out", async () => {
    const buyer = await person();
    const odd = { email: "no-address" };
    await shop.services.db.write
      .updateTable("profiles")
      .set(odd)
      .where("id", "=", buyer.id)
      .execute();
    const { sessionId } = await shop.checkout(buyer, (await course()).id);
    expect(shop.stripe.account.session(sessionId).customer_email).toBeNull();
  });

  test("reading the earlier session back fails: nothing is sold twice meanwhile", async () => {
    const { buyer, course: wanted } = await shop.begin();
    shop.stripe.faults.plan("reset", { times: 4, path: /^GET/ });
    expect(await shop.checkout(buyer, wanted.id)).toMatchObject({ status: 503 });
    expect(await rowsOf(buyer)).toHaveLength(1);
  });
});

describe("the button of a course's page, which is a form", () => {
  async function press(slug: string, as: Person | null) {
    const answer = await shop.ask(`/courses/${slug}`, { as, form: {} });
    return { status: answer.status, to: answer.headers.get("location"), toast: toastOf(answer) };
  }

  test("signed out: to signing in", async () => {
    const { slug } = await course();
    expect(await press(slug, null)).toEqual({
      status: 303,
      to: `/auth?redirect=/courses/${slug}`,
      toast: {
        title: "Authentication required",
        description: "Please sign in to purchase this course.",
        tone: "destructive",
      },
    });
    const free = await course(0);
    expect((await press(free.slug, null)).toast).toEqual({
      title: "Please sign in to enroll in this course",
    });
  });

  test("signed in: to Stripe's page; enrolled: to the lessons", async () => {
    const buyer = await person();
    const wanted = await course();
    const { status, to, toast } = await press(wanted.slug, buyer);
    expect([status, toast]).toEqual([303, null]);
    expect(to).toMatch(new RegExp(`^${shop.stripe.url}/c/pay/cs_test_`));
    await enroll(shop.services, { userId: buyer.id, productId: wanted.id });
    expect((await press(wanted.slug, buyer)).to).toBe(`/courses/${wanted.slug}/learn`);
  });

  test("free: to the lessons, saying which course is open; once", async () => {
    const buyer = await person();
    const free = await course(0);
    const to = `/courses/${free.slug}/learn`;
    expect(await press(free.slug, buyer)).toEqual({ status: 303, to, toast: opened("A course") });
    expect(await press(free.slug, buyer)).toEqual({ status: 303, to, toast: null });
    expect(await shop.enrollmentsOf(buyer)).toHaveLength(1);
  });

  test("Stripe away: back to the page, which says so", async () => {
    const { slug } = await course();
    shop.stripe.faults.plan("reset", { times: 4 });
    expect(await press(slug, await person())).toEqual({
      status: 303,
      to: `/courses/${slug}`,
      toast: {
        title: "Checkout failed",
        description: "Failed to start checkout. Please try again.",
        tone: "destructive",
      },
    });
  });

  test("an administrator's preview of an inactive course sells nothing, and says why", async () => {
    const { id, slug } = await course();
    const change = { active: false };
    await shop.services.db.write.updateTable("products").set(change).where("id", "=", id).execute();
    const { toast } = await press(slug, await createPerson(shop.services, { role: "admin" }));
    expect(toast).toMatchObject({ title: "Checkout failed", description: /./ });
  });

  test("its page lets forms lead to Stripe's pages, other pages do not", async () => {
    const { slug } = await course();
    const policyOf = async (path: string, as: Person | null = null) =>
      (await shop.ask(path, { as })).headers.get("content-security-policy");
    for (const as of [null, await person()]) {
      const paid = `form-action 'self' ${shop.stripe.url};`;
      expect(await policyOf(`/courses/${slug}`, as)).toContain(paid);
      expect(await policyOf("/courses/seven-days-of-calm", as)).toContain(paid);
      for (const path of ["/", "/courses", "/enrollment-success", "/auth"])
        expect(await policyOf(path, null)).toContain("form-action 'self';");
    }
  });
});

test("where nothing is configured: no checkout, and nothing led elsewhere; what is free still opens", async () => {
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
    const enrolled = await site.ask("/api/create-checkout", { as, json: { productId: free.id } });
    expect(enrolled.status).toBe(200);
    const other = await createPerson(site.services);
    const pressed = await site.ask(`/courses/${free.slug}`, { as: other, form: {} });
    expect(pressed.headers.get("location")).toBe(`/courses/${free.slug}/learn`);
    expect(toastOf(pressed)).toEqual(opened("A course"));
  } finally {
    await site.close();
  }
});
