import type { SubscriberStatus } from "~/platform/db/tables.ts";
import type { Services } from "~/platform/services.ts";
import { readConfirmToken, subscriberId, unsubscribeUrl } from "../links/queries.server.ts";
import { emailKey, type LinkState, linkState } from "../rules.ts";

/** Somebody on the list, as letters need her. */
export type Subscriber = {
  id: string;
  email: string;
  firstName: string;
  status: SubscriberStatus;
  generation: number;
};

export async function findSubscriber({ db }: Services, id: string): Promise<Subscriber | null> {
  const row = await db.read
    .selectFrom("subscribers")
    .select(["id", "email", "firstName", "status", "generation"])
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Whether the weekly letter comes to an address: 'asked' while it waits to be confirmed. Null where
 * the list is a provider's, which this site cannot ask.
 */
export async function subscriptionOf(
  services: Services,
  email: string,
): Promise<"on" | "asked" | "off" | null> {
  if (services.config.newsletterForm) return null;
  const subscriber = await findSubscriber(services, subscriberId(services, emailKey(email)));
  if (subscriber?.status === "confirmed") return "on";
  return subscriber?.status === "pending" ? "asked" : "off";
}

/** What a confirmation link can do now. */
export async function confirmState(services: Services, token: string): Promise<LinkState> {
  const link = readConfirmToken(services, token);
  const subscriber = link && (await findSubscriber(services, link.id));
  return linkState(link, subscriber, services.clock.now().getTime());
}

/** A line of the list as it is handed out: columns of the CSV file. */
export type ListLine = {
  first_name: string;
  email: string;
  confirmed_at: string;
  unsubscribe_url: string;
};

/** Everybody who has confirmed, in the order of that. Times in UTC, ISO 8601. */
export async function listConfirmed(services: Services): Promise<ListLine[]> {
  const rows = await services.db.read
    .selectFrom("subscribers")
    .select(["id", "firstName", "email", "confirmedAt"])
    .where("status", "=", "confirmed")
    .orderBy("confirmedAt")
    .orderBy("id")
    .execute();
  return rows.map(({ id, firstName, email, confirmedAt }) => ({
    first_name: firstName,
    email,
    confirmed_at: confirmedAt?.toISOString() ?? "",
    unsubscribe_url: unsubscribeUrl(services, id),
  }));
}
