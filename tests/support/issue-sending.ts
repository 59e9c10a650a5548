import { subscriberId } from "~/features/newsletter/subscribers.server.ts";
import { startIssue } from "~/features/newsletter-issues/dispatch.server.ts";
import { createIssue, getIssue, saveIssue } from "~/features/newsletter-issues/issues.server.ts";
import type { SendOptions } from "~/features/newsletter-issues/schema.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";

const words = {
  subject: "The empty chair",
  preview: "A thought for this week",
  body: "It is autumn.\n\nThe chair is *still* there.",
};

/** A draft with these words. @returns its id */
export async function writeIssue(
  services: Services,
  typed: Partial<typeof words> = {},
): Promise<string> {
  const id = await createIssue(services);
  const { draftId, revision } = await getIssue(services.db.read, id);
  const save = { draftId: newId(), revision: 1, absorbed: [{ id: draftId, revision }] };
  await saveIssue(services, id, { ...save, ...words, ...typed });
  return id;
}

const plainly: SendOptions = {
  segment: { kind: "all" },
  at: "",
  ...{ inMorning: false, warmUp: false, portion: null, inArchive: true },
  welcomeDay: null,
};

/** Sends a draft as the coach does who has just looked at it. */
export async function startWritten(
  services: Services,
  id: string,
  options: Partial<SendOptions> = {},
  timeZone = "Europe/Vienna",
) {
  const { draftId, revision } = await getIssue(services.db.read, id);
  const start = { options: { ...plainly, ...options }, timeZone, seen: `${draftId}:${revision}` };
  return startIssue(services, id, start);
}

/** Confirmed subscribers `reader-0@…` and so on. @returns their ids */
export async function addReaders(
  services: Services,
  count: number,
  more: { timeZone?: string; name?: string; first?: number } = {},
): Promise<string[]> {
  const { first = 0, timeZone = null, name = "Ada" } = more;
  const now = services.clock.now();
  const rows = Array.from({ length: count }, (_, index) => {
    const email = `reader-${first + index}@example.com`;
    return {
      ...{ id: subscriberId(services, email), email, emailKey: email, firstName: name, timeZone },
      ...{ status: "confirmed" as const, generation: 1, emailTimes: "[]" },
      ...{ askedAt: now, confirmedAt: now, createdAt: now },
    };
  });
  for (let at = 0; at < rows.length; at += 500)
    await services.db.write
      .insertInto("subscribers")
      .values(rows.slice(at, at + 500))
      .execute();
  return rows.map(({ id }) => id);
}

/** How many deliveries of an issue are in each state. */
export async function deliveryStates({ db }: Services, issueId: string) {
  const rows = await db.read
    .selectFrom("newsletterDeliveries")
    .select(["state", ({ fn }) => fn.countAll<number>().as("count")])
    .where("issueId", "=", issueId)
    .groupBy("state")
    .execute();
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
}
