import type { Selectable } from "kysely";
import type { ReactElement } from "react";
import { z } from "zod";
import { keyedHash, readLinkToken, signToken } from "~/platform/crypto/signed-token.ts";
import type { Query } from "~/platform/db/database.ts";
import type { SubscriberStatus, SubscribersTable } from "~/platform/db/tables.ts";
import { greetingOf, receiver } from "~/platform/email/message.ts";
import { renderEmail } from "~/platform/email/render.ts";
import type { Services } from "~/platform/http/services.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { AlreadySubscribed, ConfirmSubscription, NewsletterWelcome } from "./emails/newsletter.tsx";

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
export function confirmUrl(
  { config, clock }: Services,
  subscriber: { id: string; generation: number },
): string {
  const expires = clock.now().getTime() + confirmTime.days * 24 * 3600_000;
  const text = confirmText({ ...subscriber, expires });
  return `${config.appUrl}/newsletter/confirm?token=${signToken(config.authSecret, confirming, text)}`;
}

/** What a confirmation token says, or null when this site never made it. */
export function readConfirmToken(services: Services, token: string): ConfirmLink | null {
  const text = readLinkToken(services, confirming, token);
  return text === null ? null : parseConfirmText(text);
}

/** The address that ends a subscription: by hand as a page, by mail programs at once. Works for good. */
export function unsubscribeUrl({ config }: Services, subscriberId: string): string {
  const token = signToken(config.authSecret, unsubscribing, subscriberId);
  return `${config.appUrl}/newsletter/unsubscribe?token=${token}`;
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

/** Somebody on the list, as emails need them. */
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

type Parts = { subscriber: Subscriber; greeting: string; unsubscribe: string };
type Sketch = {
  kind: string;
  label: string;
  subject: string;
  /** Where its receiver must stand when it is sent; else there is nothing to send any more. */
  status: SubscriberStatus;
  body(services: Services, parts: Parts): ReactElement;
};

/** An email of the newsletter, with the headers of RFC 8058 (one-click unsubscribe). Its content is
 * read when it is sent. */
function defineEmail({ kind, label, subject, status, body }: Sketch) {
  return defineJob({
    kind,
    label,
    // The newsletter is a list of its own, and what nobody confirmed is forgotten.
    recorded: false,
    payload: z.object({ subscriberId: z.string(), generation: z.number() }),
    async run(services, { subscriberId, generation }, { id }) {
      const subscriber = await findSubscriber(services, subscriberId);
      if (subscriber?.status !== status || subscriber.generation !== generation) return;
      const unsubscribe = unsubscribeUrl(services, subscriberId);
      const greeting = greetingOf(subscriber.firstName);
      await services.mail.send({
        id,
        to: receiver(subscriber.firstName, subscriber.email),
        subject,
        headers: {
          "List-Unsubscribe": `<${unsubscribe}>`,
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
        ...(await renderEmail(body(services, { subscriber, greeting, unsubscribe }))),
      });
    },
  });
}

/** 'Was it you?', after a signup. */
export const confirmSubscriptionEmail = defineEmail({
  kind: "newsletter.confirm",
  label: "Newsletter: please confirm",
  subject: "Please confirm: a letter once a week",
  status: "pending",
  body: (services, { subscriber, ...parts }) =>
    ConfirmSubscription({ ...parts, link: confirmUrl(services, subscriber) }),
});

/** 'You are on the list', after confirming. */
export const newsletterWelcomeEmail = defineEmail({
  kind: "newsletter.welcome",
  label: "Newsletter: welcome",
  subject: "You are on the list",
  status: "confirmed",
  body: (_, parts) => NewsletterWelcome(parts),
});

/** 'You are on the list already', after signing up once more. */
export const alreadySubscribedEmail = defineEmail({
  kind: "newsletter.reminder",
  label: "Newsletter: on the list already",
  subject: "You are on the list already",
  status: "confirmed",
  body: (_, parts) => AlreadySubscribed(parts),
});

type Row = Selectable<SubscribersTable>;

/** Signups that nobody confirmed are forgotten after so long, in milliseconds. */
const waitingMs = 30 * 24 * 3600_000;

/** Takes a signup into the site's own list and enqueues its email, within the limits of the rules: a
 * new, unconfirmed or unsubscribed address is asked to confirm, a subscribed one gets a notice. */
export async function addToList(services: Services, signup: Signup): Promise<void> {
  const { db, clock } = services;
  const now = clock.now();
  await db.transaction(async (trx) => {
    const { row, isNew } = await findOrAdd(services, trx, signup);
    if (row.status === "confirmed") await remind(trx, row, now);
    else await askToConfirm(trx, row, { signup, now, isFirst: isNew || row.status !== "pending" });
  });
  services.wakeWorker();
}

/** The address's row, held by this transaction until its end. */
async function findOrAdd(services: Services, trx: Query, { email, firstName }: Signup) {
  const now = services.clock.now();
  const key = emailKey(email);
  const added = await trx
    .insertInto("subscribers")
    .values({
      id: subscriberId(services, key),
      email,
      emailKey: key,
      firstName,
      status: "pending",
      generation: 1,
      emailTimes: "[]",
      askedAt: now,
      createdAt: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (added) return { row: added, isNew: true };
  const row = await trx
    .updateTable("subscribers")
    .set({ askedAt: now })
    .where("emailKey", "=", key)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { row, isNew: false };
}

type Asking = {
  signup: Signup;
  now: Date;
  /** No email has gone out for this subscription yet. */
  isFirst: boolean;
};

async function askToConfirm(trx: Query, row: Row, { signup, now, isFirst }: Asking) {
  const due = nextEmailAt(row.emailTimes, now.getTime());
  // The first email may have to wait, but it comes; a repetition is left out instead.
  if (!isFirst && due > now.getTime()) return;
  // What is confirmed is what its email was written for: other words make older emails worthless.
  const isOther = row.firstName !== signup.firstName || row.email !== signup.email;
  const generation = row.generation + (row.status === "pending" && isOther ? 1 : 0);
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
    // Anyone who has confirmed has proved that the emails were wanted: they count no longer.
    .set({ status: "confirmed", confirmedAt: now, emailTimes: "[]" })
    .where("id", "=", id)
    .execute();
  const payload = { subscriberId: id, generation };
  await enqueue(trx, newsletterWelcomeEmail, payload, { now, to: { address: email } });
}

/** Unsubscribes with the token of any email. Idempotent. @returns false for an invalid token */
export async function unsubscribe(services: Services, token: string): Promise<boolean> {
  const id = readUnsubscribeToken(services, token);
  if (id === null) return false;
  await end(services, id);
  return true;
}

/** Ends the subscription of anyone who has shown that this address is theirs. Idempotent. */
export function leaveList(services: Services, email: string): Promise<void> {
  return end(services, subscriberId(services, emailKey(email)));
}

async function end({ db, clock }: Services, id: string): Promise<void> {
  await db.write
    .updateTable("subscribers")
    .set((eb) => ({
      status: "unsubscribed",
      generation: eb("generation", "+", 1),
      firstName: "",
      unsubscribedAt: clock.now(),
    }))
    .where("id", "=", id)
    .where("status", "!=", "unsubscribed")
    .execute();
}
