import { sql } from "kysely";
import { requestShareCard } from "~/features/share-cards/share-cards.server.ts";
import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import { startOfDay } from "~/platform/time/morning.ts";
import { dateInWords } from "~/platform/time/words.ts";
import { issueCard, issuePath, issuesShown } from "./rules.ts";

/** A day each, for a year that has one more. */
const mostOfYear = 366;
/** Ten years of daily issues. */
const mostListed = 4000;
const visitedDays = 90;

/** Issues that anybody may read: those that were sent, but not to new subscribers only. */
export function archivedIssues(db: Query) {
  return db
    .selectFrom("newsletterIssues")
    .where("startedAt", "is not", null)
    .where("slug", "is not", null)
    .where("inArchive", "=", true)
    .where("welcomeDay", "is", null)
    .where("state", "in", ["sending", "sent", "stopped"]);
}

/** A line of the archive's contents. */
export type ArchivedLine = {
  slug: string;
  subject: string;
  preview: string;
  /** ISO 8601, UTC. */
  startedAt: string;
  /** In the zone of the site: 'November 23, 2026'. */
  date: string;
};

type Row = { slug: string | null; subject: string; preview: string; startedAt: Date | null };

function lineOf({ slug, subject, preview, startedAt }: Row, timeZone: string): ArchivedLine {
  const at = startedAt ?? new Date(0);
  const date = dateInWords(at, timeZone);
  return { slug: slug ?? "", subject, preview, startedAt: at.toISOString(), date };
}

/** The newest issues, or all of a year, newest first; `years` only where not all issues are shown. */
export async function listArchive(
  { db, content }: Services,
  year: number | null,
): Promise<{ issues: ArchivedLine[]; years: number[] }> {
  const { timeZone } = content.site;
  const lines = archivedIssues(db.read)
    .select(["slug", "subject", "preview", "startedAt"])
    .orderBy("startedAt", "desc")
    .orderBy("id", "desc");
  if (year === null) {
    const found = await lines.limit(issuesShown + 1).execute();
    const issues = found.slice(0, issuesShown).map((row) => lineOf(row, timeZone));
    return { issues, years: found.length > issuesShown ? await listYears(db.read, timeZone) : [] };
  }
  const [from, until] = [startOfDay(`${year}-01-01`, timeZone), nextYear(year, timeZone)];
  if (!from || !until) return { issues: [], years: [] };
  const found = await lines
    .where("startedAt", ">=", from)
    .where("startedAt", "<", until)
    .limit(mostOfYear)
    .execute();
  return {
    issues: found.map((row) => lineOf(row, timeZone)),
    years: await listYears(db.read, timeZone),
  };
}

const nextYear = (year: number, timeZone: string) => startOfDay(`${year + 1}-01-01`, timeZone);

/** From the first issue's year to the last one's, newest first; one without issues has no page. */
async function listYears(db: Query, timeZone: string): Promise<number[]> {
  const rows = await archivedIssues(db)
    .select("startedAt")
    .orderBy("startedAt", "desc")
    .limit(mostListed)
    .execute();
  const yearOf = new Intl.DateTimeFormat("en-US", { timeZone, year: "numeric" });
  return [...new Set(rows.map(({ startedAt }) => Number(yearOf.format(startedAt ?? 0))))];
}

/** Whether there is anything in the archive. */
export async function hasArchive({ db }: Pick<Services, "db">): Promise<boolean> {
  return (await archivedIssues(db.read).select("id").limit(1).executeTakeFirst()) !== undefined;
}

/** Every issue of the archive, newest first, for the sitemap. */
export async function listArchiveAddresses({ db }: Services) {
  const rows = await archivedIssues(db.read)
    .select(["slug", "updatedAt"])
    .orderBy("startedAt", "desc")
    .limit(mostListed)
    .execute();
  return rows.map(({ slug, updatedAt }) => ({ path: issuePath(slug ?? ""), updatedAt }));
}

/** The newest `count` issues with their text. */
export function listNewestIssues({ db }: Services, count: number) {
  return archivedIssues(db.read)
    .select(["id", "slug", "subject", "preview", "html", "startedAt", "updatedAt"])
    .orderBy("startedAt", "desc")
    .orderBy("id", "desc")
    .limit(count)
    .execute();
}

/** One issue with those before and after it; null where the archive has none under this slug. */
export async function findArchived({ db, content }: Services, slug: string) {
  const { timeZone } = content.site;
  const row = await archivedIssues(db.read)
    .select(["id", "slug", "subject", "preview", "html", "startedAt", "updatedAt"])
    .where("slug", "=", slug)
    .executeTakeFirst();
  if (!row) return null;
  const { id, html, updatedAt } = row;
  const startedAt = row.startedAt ?? updatedAt;
  const neighbor = async (sign: "<" | ">") => {
    const direction = sign === "<" ? "desc" : "asc";
    const found = await archivedIssues(db.read)
      .select(["slug", "subject", "preview", "startedAt"])
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple("startedAt", "id"), sign, tuple(startedAt, id)),
      )
      .orderBy("startedAt", direction)
      .orderBy("id", direction)
      .limit(1)
      .executeTakeFirst();
    return found ? lineOf(found, timeZone) : null;
  };
  const [previous, next] = await Promise.all([neighbor("<"), neighbor(">")]);
  const issue = { ...lineOf(row, timeZone), id, html, updatedAt: updatedAt.toISOString() };
  return { issue, previous, next };
}

/** In the transaction that publishes an issue or changes its subject: has its share picture drawn.
 * The caller wakes the worker after the transaction. */
export function requestIssueCard(
  trx: Query,
  services: Pick<Services, "clock" | "content">,
  { id, subject }: { id: string; subject: string },
): Promise<void> {
  const brand = services.content.site.name;
  const card = { brand, title: subject, line: "The newsletter", drawing: "water" } as const;
  return requestShareCard(trx, services, { page: issueCard(id), card });
}

/** How often an issue's page was opened in the 90 days since it was sent, and how often by a link from
 * elsewhere. */
export async function visitsOfIssue(
  { db, content }: Services,
  slug: string,
): Promise<{ arrivals: number; openings: number }> {
  const issue = await db.read
    .selectFrom("newsletterIssues")
    .select("startedAt")
    .where("slug", "=", slug)
    .executeTakeFirst();
  if (!issue?.startedAt) return { arrivals: 0, openings: 0 };
  const first = issue.startedAt.getTime();
  const day = new Intl.DateTimeFormat("sv-SE", {
    timeZone: content.site.timeZone,
    dateStyle: "short",
  });
  const sums = await db.read
    .selectFrom("visits")
    .select([
      sql<number | null>`sum(arrivals)`.as("arrivals"),
      sql<number | null>`sum(openings)`.as("openings"),
    ])
    .where("day", ">=", day.format(first))
    .where("day", "<=", day.format(first + visitedDays * 24 * 3600_000))
    .where("page", "=", issuePath(slug))
    .executeTakeFirst();
  return { arrivals: Number(sums?.arrivals ?? 0), openings: Number(sums?.openings ?? 0) };
}
