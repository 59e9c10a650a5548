import type { Insertable, Updateable } from "kysely";
import { subscriberId } from "~/features/newsletter/subscribers.server.ts";
import { newId } from "~/platform/db/ids.ts";
import type { NewsletterIssuesTable, SubscribersTable } from "~/platform/db/newsletter-tables.ts";
import type { Services } from "~/platform/http/services.ts";

type Issue = Partial<Insertable<NewsletterIssuesTable>> & { slug: string };

/** An issue that was sent, as its editor leaves it. @returns its id */
export async function publishIssue(
  services: Pick<Services, "db" | "clock">,
  { slug, ...values }: Issue,
): Promise<string> {
  const id = values.id ?? newId();
  const at = values.startedAt ?? services.clock.now();
  await services.db.write
    .insertInto("newsletterIssues")
    .values({
      subject: `About ${slug}`,
      preview: "A line that stands beside the subject.",
      body: "By the water.",
      html: "<p>By the water.</p>",
      segment: JSON.stringify({ kind: "all" }),
      state: "sent",
      startedAt: at,
      createdAt: at,
      updatedAt: at,
      ...values,
      ...{ id, slug },
    })
    .execute();
  return id;
}

/** A subscriber who has confirmed. @returns the id */
export async function createSubscriber(
  services: Services,
  email: string,
  values: Updateable<SubscribersTable> = {},
): Promise<string> {
  const id = subscriberId(services, email);
  const now = services.clock.now();
  await services.db.write
    .insertInto("subscribers")
    .values({
      ...{ id, email, emailKey: email, firstName: "Ada", status: "confirmed", generation: 1 },
      ...{ emailTimes: "[]", askedAt: now, confirmedAt: now, createdAt: now },
    })
    .execute();
  if (Object.keys(values).length > 0)
    await services.db.write.updateTable("subscribers").set(values).where("id", "=", id).execute();
  return id;
}

/** That an issue went to a subscriber. */
export async function deliver(
  { db, clock }: Services,
  issueId: string,
  subscriber: string,
  state: "sent" | "waiting" | "skipped" = "sent",
) {
  const dueAt = clock.now();
  await db.write
    .insertInto("newsletterDeliveries")
    .values({ issueId, subscriberId: subscriber, state, dueAt, attempts: 1 })
    .execute();
}
