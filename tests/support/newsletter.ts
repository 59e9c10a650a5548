import type { Insertable } from "kysely";
import { vi } from "vitest";
import { subscriberId } from "~/features/newsletter/subscribers.server.ts";
import { newId } from "~/platform/db/ids.ts";
import type { SubscribersTable } from "~/platform/db/newsletter-tables.ts";
import type { Services } from "~/platform/http/services.ts";
import type { ReceivedEmail } from "./mailbox.ts";
import type { Asking, TestSite } from "./site.ts";

type Fields = {
  firstName?: string;
  email?: string;
  topic_2?: string;
  source?: string;
  timeZone?: string;
};
type Asker = { ask(path: string, asking?: Asking): Promise<Response> };

/** Sends the newsletter form as site.ts does. */
export function signUp(who: Asker, fields: Fields, asking: Asking = {}): Promise<Response> {
  const headers = { accept: "application/json", ...asking.headers };
  return who.ask("/newsletter", { form: { firstName: "Ada", ...fields }, ...asking, headers });
}

/**
 * Waits until the site has done all the work that is due by its clock. Work that failed and is
 * to be tried again fails the test, unless it says that this is to happen.
 */
export async function settled(
  { services }: { services: Services },
  { retries = false } = {},
): Promise<void> {
  services.wakeWorker();
  const failed = await vi.waitFor(
    async () => {
      const open = await services.db.read
        .selectFrom("outbox")
        .select(["kind", "dueAt", "lastError"])
        .where("finishedAt", "is", null)
        .where("failedAt", "is", null)
        .execute();
      const waiting = open.filter(({ dueAt }) => dueAt <= services.clock.now());
      if (waiting.length > 0) throw new Error(`still to do: ${JSON.stringify(waiting)}`);
      return open.filter(({ lastError }) => lastError !== null);
    },
    { timeout: 25_000, interval: 20 },
  );
  if (!retries && failed.length > 0) throw new Error(`it failed: ${JSON.stringify(failed)}`);
}

/** The row of an address, as the site keeps it. */
export function subscriber({ services }: Pick<TestSite, "services">, email: string) {
  return services.db.read
    .selectFrom("subscribers")
    .selectAll()
    .where("emailKey", "=", email.toLowerCase())
    .executeTakeFirst();
}

/** The value of an email's header, unfolded. */
export function headerOf({ source }: ReceivedEmail, name: string): string | null {
  const [head = ""] = source.split(/\r?\n\r?\n/);
  const lines = head.replaceAll(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  const line = lines.find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}: `));
  return line?.slice(name.length + 2) ?? null;
}

/** Path and query of the confirmation link in an email. */
export function confirmPath({ text }: ReceivedEmail): string {
  return pathIn(text, /https?:\/\/\S+\/newsletter\/confirm\?\S+/);
}

/** Path and query of the List-Unsubscribe header of an email. */
export function unsubscribePath(message: ReceivedEmail): string {
  return pathIn(headerOf(message, "List-Unsubscribe") ?? "", /(?<=^<)\S+(?=>$)/);
}

function pathIn(text: string, pattern: RegExp): string {
  const { pathname, search } = new URL(pattern.exec(text)?.[0] ?? "none:");
  return pathname + search;
}

/** A subscriber, confirmed unless it says otherwise. @returns the id */
export async function createSubscriber(
  services: Services,
  email: string,
  more: Partial<Insertable<SubscribersTable>> = {},
): Promise<string> {
  const id = subscriberId(services, email);
  const now = services.clock.now();
  const row = { id, email, emailKey: email, firstName: "Ada", status: "confirmed" as const };
  const times = { askedAt: now, confirmedAt: now, createdAt: now };
  await services.db.write
    .insertInto("subscribers")
    .values({ ...row, ...times, generation: 1, emailTimes: "[]", ...more })
    .execute();
  return id;
}

/** A file of subscribers that was read and can be imported. @returns the id */
export async function createImport(
  { db, clock }: Services,
  fileName = "list.csv",
): Promise<string> {
  const id = newId();
  const file = { fileName, whereFrom: "a fair", delimiter: ",", headings: '["Email"]' };
  await db.write
    .insertInto("subscriberImports")
    .values({
      id,
      ...file,
      state: "ready",
      counts: '{"ask":1}',
      rowsRead: 2,
      createdAt: clock.now(),
    })
    .execute();
  const row = { importId: id, number: 2, email: "no", emailKey: "", firstName: "" };
  await db.write
    .insertInto("subscriberImportRows")
    .values({ ...row, outcome: "invalid", problem: "invalid" })
    .execute();
  return id;
}
