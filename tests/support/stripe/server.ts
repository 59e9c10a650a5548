import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import Stripe from "stripe";
import { Account } from "./account.ts";
import { expanded, perform } from "./api.ts";
import { ApiError } from "./errors.ts";
import { type Fault, Faults } from "./faults.ts";
import { Idempotency } from "./idempotency.ts";
import { stripeId } from "./objects.ts";
import { type Params, readParams } from "./params.ts";
import { payPage, successAddress } from "./pay-page.ts";
import { type Altered, post } from "./webhooks.ts";

const secretKey = "sk_test_51BlueDot";
const webhookSecret = "whsec_test_of_blue_dot";

type Answer = { status: number; json: unknown; headers: Record<string, string> };

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
 * in their published shapes (the SDK's own types). Its `account` is what Stripe holds; controls
 * there stand for what people do at Stripe.
 */
export async function startStripe({ clock = () => new Date() }: { clock?: () => Date } = {}) {
  const account = new Account(clock);
  const faults = new Faults();
  const idempotency = new Idempotency();
  const calls: Call[] = [];
  const deliveries: Promise<Response>[] = [];

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

    const send = () => {
      const { status, json, headers } = work();
      if (!fault) call.went = status;
      if (!response.destroyed) sendJson(response, status, json, headers);
    };
    const work = (): Answer => {
      try {
        checkCaller(request);
        const done = idempotency.once(method === "POST" ? key : undefined, asked, () =>
          perform(account, { method, path, params, origin: url }),
        );
        const headers: Answer["headers"] = done.replayed ? { "idempotent-replayed": "true" } : {};
        return { status: 200, json: expanded(account, done.answer, params.expand), headers };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return { status: error.status, json: error.body(), headers: {} };
      }
    };
    if (fault === null) return send();
    if (fault === 500 && key) idempotency.break(key, asked, says(fault));
    if (typeof fault === "number")
      return sendJson(response, fault, says(fault).body(), [429, 503].includes(fault) ? retry : {});
    if (fault === "reset" || fault === "reset-after") {
      if (fault === "reset-after") work();
      return request.socket.destroy();
    }
    if (fault === "hang-after") {
      const { status, json, headers } = work();
      return faults.hold(response, () => sendJson(response, status, json, headers));
    }
    if (key) idempotency.begin(key, asked);
    const end = () => key && idempotency.abandon(key);
    request.socket.once("close", end);
    faults.hold(response, () => {
      end();
      send();
    });
  }

  function showPage(
    request: IncomingMessage,
    response: ServerResponse,
    { id, body }: { id: string; body: string },
  ) {
    const session = account.sessions.get(id);
    if (!session) return response.writeHead(404).end();
    if (request.method === "POST" && session.status === "open") {
      account.pay(id, { slowly: body.includes("debit") });
      return response.writeHead(303, { Location: successAddress(session) }).end();
    }
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(payPage(session));
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
      post(event, { url: to, secret: webhookSecret, clock }, altered),
    /** From now on each event is posted to this site as it happens. */
    deliverAll(to: string) {
      account.onEvent = (event) =>
        deliveries.push(post(event, { url: to, secret: webhookSecret, clock }));
    },
    /** The answers to what was posted so far. */
    delivered: () => Promise.all(deliveries),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const retry = { "stripe-should-retry": "true" };
const says = (status: number) =>
  status === 429
    ? new ApiError(429, "Too many requests hit the API too quickly.", { code: "rate_limit" })
    : status === 401 || status === 403
      ? new ApiError(status, "This key may not do that.", { type: "invalid_request_error" })
      : new ApiError(status, "An unknown error occurred.", { type: "api_error" });

function checkCaller({ headers }: IncomingMessage) {
  if (headers.authorization !== `Bearer ${secretKey}`)
    throw new ApiError(401, "Invalid API Key provided: sk_test_****");
  if (headers["stripe-version"] !== Stripe.API_VERSION)
    throw new ApiError(400, `Invalid Stripe API version: ${headers["stripe-version"]}`);
}

function sendJson(
  response: ServerResponse,
  status: number,
  json: unknown,
  headers: Answer["headers"] = {},
) {
  response
    .writeHead(status, {
      "content-type": "application/json",
      "request-id": stripeId("req"),
      "stripe-version": Stripe.API_VERSION,
      ...headers,
    })
    .end(JSON.stringify(json, null, 2));
}
