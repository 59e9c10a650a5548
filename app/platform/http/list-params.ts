/** What an address asks of a list: `?q=…&course=…&sort=-created&at=…`. */
export type ListParams<Sort extends string = string> = {
  /** Words to look for; empty for everything. */
  search: string;
  /** Id of the course to keep to; null for all. */
  courseId: string | null;
  sort: Sort;
  direction: "asc" | "desc";
  /** A place in the list (platform/db/keyset.ts); null for its beginning. */
  cursor: string | null;
};

const longestSearch = 100;

/**
 * Reads a list's address. Whatever it does not know, it leaves out: an old or damaged address
 * shows the list as it is without it.
 * @param sorts the names it can be sorted by, each with the direction it has at first; the first is the default
 */
export function readListParams<Sort extends string>(
  url: URL,
  sorts: Record<Sort, "asc" | "desc">,
): ListParams<Sort> {
  const asked = (name: string) => (url.searchParams.get(name) ?? "").replaceAll("\0", "").trim();
  const names = Object.keys(sorts) as Sort[];
  const sort = asked("sort");
  const name = sort.replace(/^-/, "") as Sort;
  const known = names.includes(name) ? name : (names[0] as Sort);
  const given = sort.startsWith("-") ? ("desc" as const) : ("asc" as const);
  return {
    search: asked("q").slice(0, longestSearch),
    courseId: asked("course") || null,
    sort: known,
    direction: names.includes(name) ? given : sorts[known],
    cursor: asked("at") || null,
  };
}
