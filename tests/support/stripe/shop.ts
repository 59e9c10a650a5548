import type { Updateable } from "kysely";
import type Stripe from "stripe";
import { afterEach, expect, vi } from "vitest";
import type { Config } from "~/platform/config/config.ts";
import { newId } from "~/platform/db/ids.ts";
import type { ProductsTable } from "~/platform/db/tables.ts";
import type { Services } from "~/platform/http/services.ts";
import { createCourse, type TestCourse } from "../courses.ts";
import { emailsTo } from "../mailbox.ts";
import { openForTests } from "../open-for-tests.ts";
import { patient } from "../patient.ts";
import { openIssues } from "../payments.ts";
import { createPerson, type Person } from "../people.ts";
import { readable } from "../responses.ts";
import { startSite } from "../site.ts";
import { type Altered, startStripe } from "./server.ts";

export type Shop = Awaited<ReturnType<typeof openShop>>;
/** A payment that the site has heard of. */
export type Bought = Awaited<ReturnType<Shop["buy"]>>;
type Begun = { buyer: Person; course: TestCourse; sessionId: string };

/** An {@link openShop} for all tests of a file; after each, nothing goes wrong at Stripe any more. */
export function shopOfFile(): Shop {
  const shop = openForTests(() => openShop());
  afterEach(() => {
    shop.stripe.faults.release();
    shop.stripe.faults.forget();
    shop.account.balance = Number.POSITIVE_INFINITY;
    shop.account.countsFailedRefunds = false;
  });
  return shop;
}

/** A site that sells, its coach, and what stands for Stripe, all with the same clock. */
export async function openShop(alter?: (config: Config) => Config) {
  let clock = () => new Date();
  const stripe = await startStripe({ clock: () => clock() });
  const site = await startSite(stripe.env, undefined, alter);
  clock = site.clock.now;
  // The site's own first round is over: what Stripe is asked next, a test says.
  await vi.waitFor(() => {
    if (!stripe.calls.some(({ path }) => path === "/v1/events")) throw new Error("not asked yet");
  }, patient);
  const { services, ask } = site;
  const { account } = stripe;
  const coach = await createPerson(services, { role: "admin", name: "Nora" });
  const { paymentOf, ...looks } = looksAt(services);

  /** Presses the button of a course: Stripe's session, or the refusal. */
  async function checkout(as: Person | null, productId: string) {
    const response = await ask("/api/create-checkout", { as, json: { productId } });
    const answer = (await response.json()) as { url?: string; error?: { code: string } };
    const sessionId = answer.url?.split("/c/pay/")[1] ?? "";
    return { status: response.status, url: answer.url, code: answer.error?.code, sessionId };
  }

  /** A buyer, a course of one lesson, and a checkout of it that can be paid. */
  async function begin(more: { buyer?: Person; course?: TestCourse } = {}): Promise<Begun> {
    const buyer = more.buyer ?? (await createPerson(services));
    const course = more.course ?? (await createCourse(services, [[{}]]));
    const { sessionId } = await checkout(buyer, course.id);
    return { buyer, course, sessionId };
  }

  /** A session made at Stripe for a user's payment, as a second tab or a lost row leaves it. */
  const createSession = ({ buyer, course }: Pick<Begun, "buyer" | "course">, payment = newId()) => {
    const price = { currency: "usd", unit_amount: 19700, product_data: { name: "A course" } };
    const params = {
      mode: "payment",
      line_items: [{ quantity: 1, price_data: price }],
      metadata: { payment, user: buyer.id, product: course.id },
      success_url: `${site.url}/enrollment-success`,
    };
    return account.createSession(params, stripe.url).id;
  };

  /** The last event of this type at Stripe. */
  function lastEvent(type: string): Stripe.Event {
    const event = account.events.findLast((one) => one.type === type);
    if (!event) throw new Error(`no ${type} has happened`);
    return event;
  }

  /** Posts an event to the site's webhook. */
  const post = (event: Stripe.Event, altered: Altered = {}) =>
    stripe.deliver(event, site.url, altered);

  /** Tells the site of an event, or of the last of a type, which it must accept. */
  async function tell(event: Stripe.Event | string): Promise<void> {
    const { status } = await post(typeof event === "string" ? lastEvent(event) : event);
    expect(status).toBe(200);
  }
  /** The same event under another id, as Stripe may send it. */
  const tellAgain = (event: Stripe.Event) => tell({ ...event, id: `${event.id}-${newId()}` });

  async function pay(begun: Begun) {
    await tell(account.pay(begun.sessionId));
    const { id } = await paymentOf(begun);
    return { ...begun, id, intent: intentOf(begun) };
  }
  const intentOf = ({ sessionId }: Pick<Begun, "sessionId">) =>
    String(account.session(sessionId).payment_intent);

  /** Posts what the coach presses on a payment's page. */
  const press = ({ id }: { id: string }, form: Record<string, string>) =>
    ask(`/admin/payments/${id}`, { as: coach, form });

  return {
    ...site,
    ...looks,
    ...{ stripe, account, coach, checkout, begin, createSession, lastEvent, post, tell, tellAgain },
    ...{ pay, intentOf, paymentOf, press },
    /** A payment for a course of four lessons that the site has heard of. */
    async buy(more: { buyer?: Person; course?: TestCourse } = {}) {
      const four = [
        [{}, {}],
        [{}, {}],
      ];
      const course = more.course ?? (await createCourse(services, four));
      return pay(await begin({ ...more, course }));
    },
    /** One more payment of the same buyer for the same course, as when two tabs were open at Stripe. */
    payOnceMore: ({ buyer, course }: Pick<Begun, "buyer" | "course">) =>
      pay({ buyer, course, sessionId: createSession({ buyer, course }) }),

    /** Refunds all or a part at Stripe, which tells the site. @returns the refund's id */
    async refund({ intent }: { intent: string }, cents?: number) {
      const amount = cents === undefined ? {} : { amount: String(cents) };
      const { id } = account.refund({ payment_intent: intent, ...amount });
      await tell("charge.refunded");
      return id;
    },
    /** A bank disputes a payment, or asks about it, and Stripe tells the site. @returns the dispute's id */
    async dispute({ intent }: { intent: string }, status = "needs_response") {
      const { id } = account.dispute(intent, { status });
      await tell("charge.dispute.created");
      return id;
    },
    /** A dispute ends, and Stripe tells the site. */
    closeDispute: (id: string, status: "won" | "lost" | "warning_closed") =>
      tell(account.closeDispute(id, status)),

    /** A page as the coach or another user reads it. */
    read: async (path: string, as: Person | null = coach) =>
      readable(await (await ask(path, { as })).text()),
    /** The coach marks the oldest issue with this reason as done. */
    async resolve(payment: { id: string }, reason: string) {
      const issue = (await openIssues(services, payment.id)).find((one) => one.reason === reason);
      await press(payment, { intent: "resolve", issue: issue?.id ?? "" });
    },
    async close() {
      await site.close();
      await stripe.close();
    },
  };
}

/** What a test looks at in the database and in the mailbox. */
function looksAt(services: Services) {
  const { write } = services.db;
  type Of = { buyer: Pick<Person, "id"> };
  return {
    /** The payment of a checkout; `open` are the reasons of its open issues, oldest first. */
    async paymentOf({ sessionId }: { sessionId: string }) {
      const payment = await write
        .selectFrom("payments")
        .selectAll()
        .where("checkoutSessionId", "=", sessionId)
        .executeTakeFirstOrThrow();
      const open = await openIssues(services, payment.id);
      return { ...payment, open: open.map(({ reason }) => reason) };
    },
    paymentsOf: ({ id }: Pick<Person, "id">) =>
      write
        .selectFrom("payments")
        .selectAll()
        .where("userId", "=", id)
        .orderBy("createdAt")
        .orderBy("id")
        .execute(),
    enrollmentOf: ({ buyer }: Of) =>
      write.selectFrom("enrollments").selectAll().where("userId", "=", buyer.id).executeTakeFirst(),
    formerEnrollmentsOf: ({ buyer }: Of) =>
      write.selectFrom("formerEnrollments").selectAll().where("userId", "=", buyer.id).execute(),
    changeCourse: (id: string, values: Updateable<ProductsTable>) =>
      write.updateTable("products").set(values).where("id", "=", id).execute(),
    deletePerson: ({ id }: Pick<Person, "id">) =>
      write.deleteFrom("profiles").where("id", "=", id).execute(),
    /** How many emails of a kind were queued for a user, also those that are sent. */
    async queued(kind: string, { id }: { id: string }) {
      const rows = write.selectFrom("outbox").select("id").where("userId", "=", id);
      return (await rows.where("kind", "=", kind).execute()).length;
    },
    /** Waits for an email to a user with this subject and these words; its text is on one line. */
    emailAbout: ({ email }: Pick<Person, "email">, subject: RegExp, words = "") =>
      vi.waitFor(() => {
        const emails = emailsTo(services.config, email).map((one) => ({
          ...one,
          text: readable(one.text).replaceAll(/\s+/g, " "),
        }));
        const found = emails.find((one) => subject.test(one.subject) && one.text.includes(words));
        if (!found) throw new Error(`no email about ${subject} yet`);
        return found;
      }, patient),
  };
}
