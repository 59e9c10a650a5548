import type Stripe from "stripe";
import type { Account } from "./account.ts";
import { ApiError, missing, type Params } from "./objects.ts";

/** 'line_items[0][quantity]=1' as an object; what looks like a list is one. */
export function readParams(query: URLSearchParams): Params {
  const params: Params = {};
  for (const [name, value] of query) {
    const path = name.split(/[[\]]+/).filter((part) => part !== "");
    if (name.endsWith("[]")) path.push(String(Object.keys(at(params, path)).length));
    const last = path.pop() ?? "";
    at(params, path)[last] = value;
  }
  return withLists(params);
}

function at(params: Params, path: string[]): Params {
  let place = params;
  for (const part of path) {
    place[part] ??= {};
    place = place[part];
  }
  return place;
}

function withLists(params: Params): Params {
  const entries = Object.entries(params).map(
    ([name, value]) => [name, typeof value === "object" ? withLists(value) : value] as const,
  );
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index));
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

type Request = { method: string; path: string; params: Params; origin: string };

/** Does what a call asks of the account. @throws {ApiError} */
export function perform(account: Account, { method, path, params, origin }: Request): unknown {
  const [, what = "", id = "", verb = ""] =
    /^\/v1\/(checkout\/\w+|\w+)(?:\/(\w+))?(?:\/(\w+))?$/.exec(path) ?? [];
  const { sessions, intents, charges, refunds, disputes, events } = account;
  const held: Record<string, Map<string, { id: string; payment_intent?: unknown }>> = {
    ...{ "checkout/sessions": sessions, payment_intents: intents, charges, refunds, disputes },
  };
  switch ([method, what, id && ":id", verb].filter(Boolean).join(" ")) {
    case "POST checkout/sessions":
      return account.createSession(params, origin);
    case "GET checkout/sessions :id":
      return account.session(id);
    case "POST checkout/sessions :id expire":
      return account.expire(id);
    case "POST refunds":
      return account.refund(params);
    case "GET events":
      return listOf(path, events.filter(asked(params)), params);
  }
  const some = held[what];
  if (method !== "GET" || !some || verb)
    throw new ApiError(404, `Unrecognized request URL (${method}: ${path}).`);
  if (!id) return listOf(path, [...some.values()].filter(isOf(params)), params);
  const one = some.get(id);
  if (!one) throw missing(what, id);
  return one;
}

const isOf =
  ({ payment_intent }: Params) =>
  (one: { payment_intent?: unknown }) =>
    !payment_intent || one.payment_intent === payment_intent;

const asked =
  ({ created, types }: Params) =>
  (event: Stripe.Event) =>
    event.created >= Number(created?.gte ?? 0) && (!types || types.includes(event.type));

/** Newest first, a page at a time; `all` is oldest first. */
function listOf(url: string, all: { id: string }[], params: Params) {
  const limit = Number(params.limit ?? 10);
  if (!(limit >= 1 && limit <= 100)) throw new ApiError(400, "Invalid integer", { param: "limit" });
  const newestFirst = all.toReversed();
  const from = newestFirst.findIndex(({ id }) => id === params.starting_after) + 1;
  const data = newestFirst.slice(from, from + limit);
  return { object: "list", url, has_more: from + limit < newestFirst.length, data };
}

/** A copy of `object` in which what `paths` name is written out ('payment_intent.latest_charge'). */
export function expanded(account: Account, object: unknown, paths: string[] = []): unknown {
  const copy = structuredClone(object) as Params;
  for (const path of paths) expand(account, copy, path.split("."));
  return copy;
}

function expand(account: Account, place: Params, [name = "", ...rest]: string[]) {
  const id = place[name];
  if (typeof id === "string")
    place[name] = structuredClone(account.intents.get(id) ?? account.charges.get(id)) ?? id;
  if (rest.length > 0 && place[name]) expand(account, place[name], rest);
}
