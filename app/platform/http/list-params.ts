export type ListParams<Sort extends string = string> = {
  search: string;
  courseId: string | null;
  sort: Sort;
  direction: "asc" | "desc";
  cursor: string | null;
};

const longestSearch = 100;

/** Ignores unknown values. @param sorts names with their first direction, the default first */
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
