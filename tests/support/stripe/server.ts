import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import Stripe from "stripe";
import { Account } from "./account.ts";
import { expanded, perform, readParams } from "./api.ts";
import { type Fault, Faults } from "./faults.ts";
import { ApiError, type Params, stripeId } from "./objects.ts";

const secretKey = "sk_test_51BlueDot";
const webhookSecret = "whsec_test_of_blue_dot";

/** A call as it came, and how it went. */
type Call = {
  method: string;
  path: string;
  params: Params;
  key: string | undefined;
  went: Fault | number;
};

export type StripeServer = Awaited<ReturnType<typeof startStripe>>;

/**
 * A real server on loopback that answers the SDK like Stripe's API, for the calls that are used
 * here: sessions, payment intents, charges, refunds, disputes, events, idempotency keys and errors
 * in their published shapes. Its `account` is what Stripe holds, and what users do at Stripe.
 */
export async function startStripe({ clock = () => new Date() }: { clock?: () => Date } = {}) {
  const account = new Account(clock);
  const faults = new Faults();
  const calls: Call[] = [];
  /** Answers under the idempotency keys of their calls (docs.stripe.com/api/idempotent_requests). */
  const saved = new Map<string, { asked: string; answer?: unknown; fault?: ApiError }>();

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const address = new URL(request.url ?? "/", url);
    const { pathname: path } = address;
    const body = await text(request);
    if (path.startsWith("/c/pay/")) return showPage(request, response, { id: path.slice(7), body });
    const method = request.method ?? "GET";
    const params = readParams(method === "GET" ? address.searchParams : new URLSearchParams(body));
    const key = request.headers["idempotency-key"] as string | undefined;
    const asked = `${method} ${path} ${JSON.stringify(params)}`;
    const fault = faults.next(`${method} ${path}`);
    const call: Call = { method, path, params, key, went: fault ?? 200 };
    calls.push(call);

    /** Does the work once for each key. What was refused may be tried again with the same key. */
    function performOnce() {
      const before = key === undefined ? undefined : saved.get(key);
      if (before && before.asked !== asked)
        throw new ApiError(
          400,
          "Keys for idempotent requests can only be used with the same parameters they were first used with.",
          { type: "idempotency_error" },
        );
      if (before?.fault) throw before.fault;
      if (before) return before.answer;
      const done = structuredClone(perform(account, { method, path, params, origin: url }));
      if (key !== undefined) saved.set(key, { asked, answer: done });
      return done;
    }
    function work(): [status: number, json: unknown] {
      try {
        checkCaller(request);
        return [200, expanded(account, performOnce(), params.expand)];
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return [error.status, error.body];
      }
    }
    const send = ([status, json]: ReturnType<typeof work>) => {
      if (!fault) call.went = status;
      if (!response.destroyed) sendJson(response, status, json);
    };
    if (fault === null) return send(work());
    if (typeof fault === "number") {
      const error = new ApiError(fault, "As the test wants it.", { type: "api_error" });
      if (fault === 500 && key) saved.set(key, { asked, fault: error });
      return sendJson(response, fault, error.body);
    }
    if (fault === "hang") return faults.hold(response, () => send(work()));
    const done = fault === "reset" ? null : work();
    if (fault === "hang-after") return faults.hold(response, () => done && send(done));
    request.socket.destroy();
  }

  /** What stands for Stripe's own page: a way to pay, a slow one, and a way back. */
  function showPage(
    request: IncomingMessage,
    response: ServerResponse,
    { id, body }: { id: string; body: string },
  ) {
    const session = account.sessions.get(id);
    if (!session) return response.writeHead(404).end();
    if (request.method === "POST" && session.status === "open") {
      account.pay(id, { slowly: body.includes("debit") });
      const to = session.success_url?.replace("{CHECKOUT_SESSION_ID}", id);
      return response.writeHead(303, { Location: to }).end();
    }
    const dollars = ((session.amount_total ?? 0) / 100).toFixed(2);
    const [title, main] =
      session.status === "open"
        ? [
            "Pay",
            `<p>$${dollars} for ${session.customer_email ?? "no email"}</p>
             <form method="post"><button name="how" value="card">Pay by card</button>
             <button name="how" value="debit">Pay by bank debit</button></form>
             <p><a href="${session.cancel_url ?? "/"}">Back</a></p>`,
          ]
        : ["This checkout session is over", ""];
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(
      `<!doctype html><html lang="en"><head><meta charset="utf-8">
       <meta name="viewport" content="width=device-width, initial-scale=1">
       <title>${title}</title><link rel="icon" href="data:,"></head>
       <body><main><h1>${title}</h1>${main}</main></body></html>`,
    );
  }

  const server = createServer((request, response) => {
    // Of a client that hung up in the middle there is no body.
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    account,
    faults,
    /** Every call that came, in order. */
    calls,
    /** The settings with which a site asks here. */
    env: {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: url,
    },
    /** Posts one event to a site's webhook. */
    deliver: (event: Stripe.Event, to: string, altered?: Altered) =>
      post(event, { url: to, clock }, altered),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function checkCaller({ headers }: IncomingMessage) {
  if (headers.authorization !== `Bearer ${secretKey}`)
    throw new ApiError(401, "Invalid API Key provided: sk_test_****");
  if (headers["stripe-version"] !== Stripe.API_VERSION)
    throw new ApiError(400, `Invalid Stripe API version: ${headers["stripe-version"]}`);
}

function sendJson(response: ServerResponse, status: number, json: unknown) {
  response
    .writeHead(status, {
      "content-type": "application/json",
      "request-id": stripeId("req"),
      "stripe-version": Stripe.API_VERSION,
      ...(status >= 429 && { "stripe-should-retry": String(status !== 500) }),
    })
    .end(JSON.stringify(json));
}

export type Altered = {
  /** Signed so long ago, in seconds. */
  age?: number;
  /** Signed with another secret. */
  secret?: string;
  /** Sent instead of what was signed. */
  body?: string;
  /** No signature at all (null), or this one. */
  signature?: string | null;
};

/** Posts an event as Stripe does, signed with the SDK's own test helper; or not quite as Stripe does. */
async function post(
  event: Stripe.Event,
  { url, clock }: { url: string; clock: () => Date },
  { age = 0, secret = webhookSecret, body, signature }: Altered = {},
): Promise<Response> {
  const payload = JSON.stringify(event, null, 2);
  const timestamp = Math.floor(clock().getTime() / 1000) - age;
  const signed =
    signature === undefined
      ? await Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp })
      : signature;
  return fetch(new URL("/api/webhooks/stripe", url), {
    method: "POST",
    headers: {
      "content-type": "application/json; charset=utf-8",
      "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
      ...(signed !== null && { "stripe-signature": signed }),
    },
    body: body ?? payload,
  });
}
