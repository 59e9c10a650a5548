import { vi } from "vitest";
import type { Services } from "~/platform/http/services.ts";
import { createCourse, type TestCourse } from "../courses.ts";
import { lettersTo } from "../mailbox.ts";
import { patient } from "../patient.ts";
import { openIssues } from "../payments.ts";
import { createPerson, type Person } from "../people.ts";
import { startSite } from "../site.ts";
import { startStripe } from "./server.ts";

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** A site that sells, and what stands for Stripe, with the same clock. */
export async function openShop(env: Record<string, string> = {}) {
  let clock = () => new Date();
  const stripe = await startStripe({ clock: () => clock() });
  const site = await startSite({ ...stripe.env, ...env });
  clock = site.clock.now;
  // The site's own first round is over: what Stripe is asked next, a test says.
  await vi.waitFor(() => {
    if (!stripe.calls.some(({ path }) => path === "/v1/events")) throw new Error("not asked yet");
  }, patient);
  const { services } = site;

  /** Presses the button of a course: Stripe's session, or the refusal. */
  async function checkout(as: Person | null, productId: string) {
    const response = await site.ask("/api/create-checkout", { as, json: { productId } });
    const answer = (await response.json()) as { url?: string; error?: { code: string } };
    const sessionId = answer.url?.split("/c/pay/")[1] ?? "";
    return { status: response.status, url: answer.url, code: answer.error?.code, sessionId };
  }

  return {
    ...site,
    stripe,
    checkout,
    /** Somebody, a course of one lesson, and a checkout of it that can be paid. */
    async begin(more: { buyer?: Person; course?: TestCourse } = {}) {
      const buyer = more.buyer ?? (await createPerson(services));
      const course = more.course ?? (await createCourse(services, [[{}]]));
      const { sessionId } = await checkout(buyer, course.id);
      return { buyer, course, sessionId };
    },
    /** Tells the site what has happened. */
    tell: (event: Parameters<typeof stripe.deliver>[0], altered = {}) =>
      stripe.deliver(event, site.url, altered),
    ...looksAt(services),
    async close() {
      await site.close();
      await stripe.close();
    },
  };
}

/** What a test looks at. */
function looksAt(services: Services) {
  const { db, config } = services;
  return {
    /** The payment of a checkout; `open` are the reasons why it waits for the coach, oldest first. */
    async paymentOf(sessionId: string) {
      const payment = await db.write
        .selectFrom("payments")
        .selectAll()
        .where("checkoutSessionId", "=", sessionId)
        .executeTakeFirstOrThrow();
      const open = await openIssues(services, payment.id);
      return { ...payment, open: open.map(({ reason }) => reason) };
    },
    enrollmentsOf: ({ id }: Person) =>
      db.write
        .selectFrom("enrollments")
        .select(["productId", "stripePaymentId"])
        .where("userId", "=", id)
        .execute(),
    /** The receipts that are written or waiting to be. */
    receiptsOf: ({ id }: Person) =>
      db.write
        .selectFrom("outbox")
        .select("id")
        .where("kind", "=", "payments.receipt")
        .where("userId", "=", id)
        .execute(),
    receiptLettersTo: ({ email }: Person) =>
      lettersTo(config, email).filter(({ subject }) => subject.startsWith("Your receipt")),
  };
}
