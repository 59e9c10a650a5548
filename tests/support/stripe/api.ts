import type Stripe from "stripe";
import type { Account } from "./account.ts";
import { ApiError, missing } from "./errors.ts";
import type { Params } from "./params.ts";

type Request = { method: string; path: string; params: Params; origin: string };

/** Does what a call asks of the account. @throws {ApiError} */
export function perform(account: Account, { method, path, params, origin }: Request): unknown {
  const [, version, ...parts] = path.split("/");
  const what = parts.slice(0, parts[0] === "checkout" ? 2 : 1).join("/");
  const [id, verb] = parts.slice(what.split("/").length);
  const call = [method, version, what, id === undefined ? "" : ":id", verb ?? ""].join(" ").trim();
  const one = (kind: string, held: Map<string, unknown>) =>
    held.get(id ?? "") ?? fail(missing(kind, id ?? ""));
  switch (call) {
    case "POST v1 checkout/sessions":
      return account.createSession(params, origin);
    case "GET v1 checkout/sessions":
      return listOf(path, ofIntent([...account.sessions.values()], params), params);
    case "GET v1 checkout/sessions :id":
      return account.session(id ?? "");
    case "POST v1 checkout/sessions :id expire":
      return account.expire(id ?? "");
    case "GET v1 payment_intents":
      return listOf(path, [...account.intents.values()], params);
    case "GET v1 payment_intents :id":
      return account.intent(id ?? "");
    case "GET v1 charges :id":
      return one("charge", account.charges);
    case "GET v1 disputes :id":
      return one("dispute", account.disputes);
    case "GET v1 refunds :id":
      return one("refund", account.refunds);
    case "POST v1 refunds":
      return account.refund(params);
    case "GET v1 disputes":
      return listOf(path, ofIntent([...account.disputes.values()], params), params);
    case "GET v1 refunds":
      return listOf(path, ofIntent([...account.refunds.values()], params), params);
    case "GET v1 events":
      return listOf(path, account.events.filter(asked(params)), params);
    default:
      throw new ApiError(404, `Unrecognized request URL (${method}: ${path}).`);
  }
}

function fail(error: Error): never {
  throw error;
}

function ofIntent<T extends { payment_intent: unknown }>(all: T[], params: Params): T[] {
  return all.filter((one) => one.payment_intent === params.payment_intent);
}

function asked({ created, types }: Params) {
  return (event: Stripe.Event) =>
    event.created >= Number(created?.gte ?? 0) && (!types || types.includes(event.type));
}

/** Newest first, a page at a time; `all` is oldest first. */
function listOf(url: string, all: { id: string }[], params: Params) {
  const limit = Number(params.limit ?? 10);
  if (!(limit >= 1 && limit <= 100)) throw new ApiError(400, "Invalid integer", { param: "limit" });
  const newestFirst = [...all].reverse();
  const from = newestFirst.findIndex(({ id }) => id === params.starting_after) + 1;
  const data = newestFirst.slice(from, from + limit);
  return { object: "list", url, has_more: from + limit < newestFirst.length, data };
}

/** A copy of `object` in which what `paths` name is written out ('payment_intent.latest_charge'). */
export function expanded(account: Account, object: unknown, paths: string[] = []): unknown {
  const copy = structuredClone(object) as Params;
  // A charge has its refunds only for whoever asks (since version 2022-11-15).
  for (const path of paths) expand(account, copy, path.split("."));
  return copy;
}

function expand(account: Account, place: Params, [name = "", ...rest]: string[]) {
  if (place.object === "charge" && name === "refunds")
    place.refunds = listOf(
      `/v1/charges/${place.id}/refunds`,
      [...account.refunds.values()].filter(({ charge }) => charge === place.id),
      {},
    );
  const value = place[name];
  if (typeof value === "string") place[name] = structuredClone(find(account, value)) ?? value;
  if (rest.length > 0 && place[name]) expand(account, place[name], rest);
}

function find({ intents, charges }: Account, id: string): unknown {
  return intents.get(id) ?? charges.get(id);
}
