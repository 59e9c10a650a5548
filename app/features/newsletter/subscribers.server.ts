import type { Selectable } from "kysely";
import type { ReactElement } from "react";
import { z } from "zod";
import { keyedHash, readLinkToken, signToken } from "~/platform/crypto/signed-token.ts";
import { countOf, type Query } from "~/platform/db/database.ts";
import { keysetPage } from "~/platform/db/keyset.ts";
import type { SubscriberStatus, SubscribersTable } from "~/platform/db/newsletter-tables.ts";
import { unsubscribeHeaders } from "~/platform/email/message.ts";
import { sendEmail } from "~/platform/email/render.ts";
import type { Services } from "~/platform/http/services.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import {
  AlreadySubscribed,
  ConfirmImported,
  ConfirmSubscription,
  NewsletterWelcome,
} from "./emails/newsletter.tsx";
import { confirmTime } from "./messages.ts";
import {
  type ConfirmLink,
  confirmText,
  emailKey,
  type LinkState,
  linkState,
  mayRemind,
  nextEmailAt,
  parseConfirmText,
  withEmailTime,
} from "./rules.ts";
import type { Signup } from "./schema.ts";

/** Each kind of link is signed for its own purpose. */
const confirming = "newsletter confirm";
const unsubscribing = "newsletter unsubscribe";
const subscribing = "newsletter subscriber";

/** The page on which this subscription is confirmed; works for {@link confirmTime}. */
function confirmUrl(
  { config, clock }: Services,
  subscriber: { id: string; generation: number },
): string {
  const expires = clock.now().getTime() + confirmTime.days * 24 * 3600_000;
  const text = confirmText({ ...subscriber, expires });
  return `${config.appUrl}/newsletter/confirm?token=${signToken(config.authSecret, confirming, text)}`;
}

/** What a confirmation token says, or null when this site never made it. */
function readConfirmToken(services: Services, token: string): ConfirmLink | null {
  const text = readLinkToken(services, confirming, token);
  return text === null ? null : parseConfirmText(text);
}

/** The address that ends a subscription: by hand as a page, by mail programs at once. Works for good. */
export function unsubscribeUrl({ config }: Services, subscriberId: string): string {
  const token = signToken(config.authSecret, unsubscribing, subscriberId);
  return `${config.appUrl}/newsletter/unsubscribe?token=${token}`;
}

/** The page on which a subscriber chooses how often emails come. Works for good. */
export function frequencyUrl(services: Services, subscriberId: string): string {
  return unsubscribeUrl(services, subscriberId).replace("/unsubscribe?", "/frequency?");
}

/** The id of an address's row, a UUIDv8. It is the same whenever the row is made, so that the links of
 * old emails still unsubscribe an address that was deleted and has subscribed again. */
export function subscriberId({ config }: Services, key: string): string {
  const hash = keyedHash(config.authSecret, subscribing, key).toString("hex");
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/** Whose subscription a token ends, or null when this site never made it. */
export function readUnsubscribeToken(services: Services, token: string): string | null {
  return readLinkToken(services, unsubscribing, token);
}

type Row = Selectable<SubscribersTable>;

async function findSubscriber({ db }: Services, id: string): Promise<Row | null> {
  const row = db.read.selectFrom("subscribers").selectAll().where("id", "=", id);
  return (await row.executeTakeFirst()) ?? null;
}

/** 'asked' while it waits to be confirmed. Null where a provider has the list. */
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

/** Confirmed subscribers, oldest first; the keys are the CSV's columns. Times in UTC, ISO 8601. */
export async function listConfirmed(services: Services) {
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

/** A page of confirmed subscribers by address, for the CSV of the admin area. */
export async function listConfirmedPage(
  services: Services,
  { cursor, limit }: { cursor: string | null; limit: number },
) {
  const query = services.db.read
    .selectFrom("subscribers")
    .select(["id", "firstName", "email", "confirmedAt", "source", "consent"])
    .select("emailKey as sortValue")
    .where("status", "=", "confirmed");
  const order = { column: "subscribers.emailKey", id: "subscribers.id", direction: "asc" } as const;
  const page = await keysetPage(query, order, { cursor, limit });
  const rows = page.rows.map((row) => ({
    ...row,
    unsubscribeUrl: unsubscribeUrl(services, row.id),
  }));
  return { ...page, rows };
}

/** How many are on the site's own list, and how many have not confirmed yet. */
export async function countSubscribers({ db }: Services) {
  const of = (status: SubscriberStatus) =>
    countOf(db.read.selectFrom("subscribers").where("status", "=", status));
  const [confirmed, waiting] = await Promise.all([of("confirmed"), of("pending")]);
  return { confirmed, waiting };
}

type EmailSketch = {
  kind: string;
  label: string;
  subject: string;
  /** The status that its recipient must still have when it is sent; else it is not sent. */
  status: SubscriberStatus;
  priority?: "bulk";
  template(props: { greeting: string; link: string; unsubscribe: string }): ReactElement;
};

/** An email of the newsletter. Its content is read when it is sent. */
function defineEmail({ subject, status, template, ...sketch }: EmailSketch) {
  return defineJob({
    ...sketch,
    // The newsletter is a list of its own, and what is not confirmed is deleted.
    recorded: false,
    payload: z.object({ subscriberId: z.string(), generation: z.number() }),
    async run(services, { subscriberId, generation }, { id }) {
      const subscriber = await findSubscriber(services, subscriberId);
      if (subscriber?.status !== status || subscriber.generation !== generation) return;
      const unsubscribe = unsubscribeUrl(services, subscriberId);
      const to = { name: subscriber.firstName, address: subscriber.email };
      const headers = unsubscribeHeaders(unsubscribe);
      const link = confirmUrl(services, subscriber);
      await sendEmail(services, { id, to, subject, headers }, template, { link, unsubscribe });
    },
  });
}

export const confirmSubscriptionEmail = defineEmail({
  kind: "newsletter.confirm",
  label: "Newsletter: please confirm",
  subject: "Please confirm: my newsletter, once a week",
  status: "pending",
  template: ConfirmSubscription,
});

/** To an address of a file without a date of consent. */
export const confirmImportedEmail = defineEmail({
  kind: "newsletter.confirm-imported",
  label: "Newsletter: please confirm (from a file)",
  subject: "Would you like to stay on my list?",
  status: "pending",
  priority: "bulk",
  template: ConfirmImported,
});

export const newsletterWelcomeEmail = defineEmail({
  kind: "newsletter.welcome",
  label: "Newsletter: welcome",
  subject: "You are on the list",
  status: "confirmed",
  template: NewsletterWelcome,
});

export const alreadySubscribedEmail = defineEmail({
  kind: "newsletter.reminder",
  label: "Newsletter: on the list already",
  subject: "You are on the list already",
  status: "confirmed",
  template: AlreadySubscribed,
});

/** Unconfirmed signups are deleted after this, in milliseconds. */
const waitingMs = 30 * 24 * 3600_000;

/** Takes a signup into the site's own list and enqueues its email, within the limits of the rules: a
 * new, unconfirmed or unsubscribed address is asked to confirm, a subscribed one gets a notice. */
export async function addToList(services: Services, delivered: Signup): Promise<void> {
  const { db, clock } = services;
  const now = clock.now();
  const { source, timeZone, ...signup } = delivered;
  const origin = { ...(source && { source }), ...(timeZone && { timeZone }) };
  const key = emailKey(signup.email);
  await db.transaction(async (trx) => {
    await trx
      .insertInto("subscribers")
      .values({
        id: subscriberId(services, key),
        emailKey: key,
        ...signup,
        ...origin,
        status: "pending",
        generation: 1,
        emailTimes: "[]",
        askedAt: now,
        createdAt: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // Holds the row until the end of the transaction.
    const row = await trx
      .updateTable("subscribers")
      .set({ askedAt: now })
      .where("emailKey", "=", key)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (row.status === "confirmed") await remind(trx, row, now);
    else await askToConfirm(trx, row, { ...signup, ...origin }, now);
  });
  services.wakeWorker();
}

async function askToConfirm(trx: Query, row: Row, signup: Signup, now: Date) {
  const due = nextEmailAt(row.emailTimes, now.getTime());
  const isRepeated = row.status === "pending";
  // The first email of a subscription may have to wait, but it comes; a repetition is left out.
  if (isRepeated && due > now.getTime()) return;
  // An email confirms the name and address it was sent for: other ones make older links invalid.
  const isOther = row.firstName !== signup.firstName || row.email !== signup.email;
  const generation = row.generation + (isRepeated && isOther ? 1 : 0);
  const emailTimes = JSON.stringify(withEmailTime(row.emailTimes, due));
  await trx
    .updateTable("subscribers")
    .set({ ...signup, status: "pending", generation, emailTimes })
    .where("id", "=", row.id)
    .execute();
  const payload = { subscriberId: row.id, generation };
  const to = { address: signup.email };
  await enqueue(trx, confirmSubscriptionEmail, payload, { now, dueAt: new Date(due), to });
}

async function remind(trx: Query, row: Row, now: Date) {
  if (!mayRemind(row.emailTimes, now.getTime())) return;
  const emailTimes = JSON.stringify(withEmailTime(row.emailTimes, now.getTime()));
  await trx.updateTable("subscribers").set({ emailTimes }).where("id", "=", row.id).execute();
  const payload = { subscriberId: row.id, generation: row.generation };
  await enqueue(trx, alreadySubscribedEmail, payload, { now, to: { address: row.email } });
}

/** Deletes addresses that were never confirmed; one that had unsubscribed before becomes that again. */
export async function deleteUnconfirmedSubscribers({ db, clock }: Services): Promise<void> {
  const before = new Date(clock.now().getTime() - waitingMs);
  await db.write
    .updateTable("subscribers")
    .set((eb) => ({
      status: "unsubscribed",
      generation: eb("generation", "+", 1),
      firstName: "",
    }))
    .where("status", "=", "pending")
    .where("askedAt", "<", before)
    .where("unsubscribedAt", "is not", null)
    .execute();
  await db.write
    .deleteFrom("subscribers")
    .where("status", "=", "pending")
    .where("askedAt", "<", before)
    .execute();
}

/** Confirms a subscription with the token of its email and enqueues the welcome email. Idempotent.
 * @returns 'open' when it confirmed now, 'done' when it had before, or why it did not */
export async function confirmSubscription(services: Services, token: string): Promise<LinkState> {
  const link = readConfirmToken(services, token);
  if (!link) return "broken";
  const { db, clock } = services;
  const now = clock.now();
  const state = await db.transaction(async (trx) => {
    const asked = trx.selectFrom("subscribers").selectAll().where("id", "=", link.id);
    const held = db.engine === "postgres" ? asked.forUpdate() : asked;
    const row = await held.executeTakeFirst();
    const found = linkState(link, row ?? null, now.getTime());
    if (found === "open" && row) await welcome(trx, row, now);
    return found;
  });
  if (state === "open") services.wakeWorker();
  return state;
}

async function welcome(trx: Query, { id, generation, email }: Row, now: Date) {
  await trx
    .updateTable("subscribers")
    // Confirming proves that the emails were wanted: they count no longer.
    .set({ status: "confirmed", confirmedAt: now, emailTimes: "[]" })
    .where("id", "=", id)
    .execute();
  const payload = { subscriberId: id, generation };
  await enqueue(trx, newsletterWelcomeEmail, payload, { now, to: { address: email } });
}
