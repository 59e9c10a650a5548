import { portraitSetting } from "~/features/pictures/pictures.server.ts";
import type { Services } from "~/platform/http/services.ts";

/** Everything that the coach's side writes. */
const tables = [
  "products",
  "modules",
  "lessons",
  "enrollments",
  "formerEnrollments",
  "invitations",
  "uploads",
  "mediaFiles",
  "lessonFiles",
  "pictures",
  "pictureUses",
  "recordings",
  "drafts",
  "payments",
  "redirects",
  "suppressions",
  "versions",
  "pages",
  "pageDrafts",
  "releases",
  "releaseChanges",
  "newsletterIssues",
] as const;

/** Changes of these are not audited: unfinished texts and uploads. */
const unfinished = new Set<string>(["uploads", "drafts", "pageDrafts", "newsletterIssues"]);

/** Of signups, only what an administrator does at once: a job adds whom they sign up. */
async function subscribersOf(read: Services["db"]["read"]) {
  const confirmed = read.selectFrom("subscribers").select("id").where("status", "=", "confirmed");
  const begun = read.selectFrom("subscriberImports").select("id");
  return {
    subscribers: await confirmed.orderBy("id").execute(),
    imports: await begun.where("state", "in", ["importing", "done"]).orderBy("id").execute(),
  };
}

/**
 * What a deed of an administrator changes, without the time at which it was: where this is
 * another than before, the audit list must say so.
 */
export async function auditedContentOf(
  { db }: Services,
  all: Record<string, unknown[]>,
): Promise<Record<string, unknown[]>> {
  const content = Object.entries(all).filter(([table]) => !unfinished.has(table));
  const untimed = (rows: unknown[]) =>
    rows.map((row) => ({ ...(row as { updatedAt?: Date }), updatedAt: null }));
  return {
    ...Object.fromEntries(content.map(([table, rows]) => [table, untimed(rows)])),
    courseEmails: await db.read
      .selectFrom("courseEmails")
      .select(["id", "stoppedAt"])
      .orderBy("id")
      .execute(),
    newsletterStates: await db.read
      .selectFrom("newsletterIssues")
      .select(["id", "state", "inArchive"])
      .orderBy("id")
      .execute(),
    settings: await db.read
      .selectFrom("settings")
      .select(["name", "value"])
      .where("name", "in", [portraitSetting, "newsletter-last-issue"])
      .orderBy("name")
      .execute(),
    ignored: await db.read
      .selectFrom("lostPages")
      .select("path")
      .where("ignoredAt", "is not", null)
      .orderBy("path")
      .execute(),
    ...(await subscribersOf(db.read)),
    issues: await db.read.selectFrom("paymentIssues").selectAll().orderBy("id").execute(),
    adminInvitations: await db.read
      .selectFrom("verifications")
      .select("id")
      .where("identifier", "like", "admin-invitation:%")
      .orderBy("id")
      .execute(),
    profiles: await db.read
      .selectFrom("profiles")
      .select(["id", "role", "suspendedAt"])
      .orderBy("id")
      .execute(),
  };
}

/** What an account has of its own, to see that no one else's request has changed any of it. */
export async function ownThingsOf({ db }: Services, userId: string) {
  const of = (table: (typeof ownTables)[number]) =>
    db.read.selectFrom(table).selectAll().where("userId", "=", userId).execute();
  const things: Record<string, unknown[]> = {};
  for (const table of ownTables) things[table] = await of(table);
  const profile = db.read.selectFrom("profiles").selectAll().where("id", "=", userId);
  return { ...things, profile: await profile.executeTakeFirst() };
}

const ownTables = [
  "sessions",
  "accounts",
  "enrollments",
  "progress",
  "drafts",
  "journalPictures",
  "playbackPositions",
  "declinedEmails",
  "moduleCompletionEmails",
] as const;

/** All rows of those tables, to see that something that was refused has changed none of them. */
export async function contentOf({ db }: Services): Promise<Record<string, unknown[]>> {
  const content: Record<string, unknown[]> = {};
  for (const table of tables) {
    const rows = await db.read.selectFrom(table).selectAll().execute();
    const inOrder = rows.map((row) => [JSON.stringify(row), row] as const);
    inOrder.sort(([one], [other]) => (one < other ? -1 : 1));
    content[table] = inOrder.map(([, row]) => row);
  }
  return content;
}
