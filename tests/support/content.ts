import type { Services } from "~/platform/services.ts";

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
  "authoringDrafts",
  "payments",
] as const;

/** All rows of those tables, to see that something that was refused has changed none of them. */
export async function contentOf({ db }: Services): Promise<Record<string, unknown[]>> {
  const content: Record<string, unknown[]> = {};
  for (const table of tables)
    content[table] = await db.read.selectFrom(table).selectAll().orderBy("id").execute();
  return content;
}
