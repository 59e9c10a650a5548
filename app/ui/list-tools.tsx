import { ArrowLeft, ArrowRight, Download, Search } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { Form } from "react-router";
import { Button, ButtonLink } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";
import { Input } from "./inputs.tsx";

export type ListAddress = { pathname: string; search: string };

/** The address of a list with some of its parameters changed; null and '' leave one out. A question
 * whether to delete something is never carried along. */
export function listAddress(
  here: ListAddress,
  changes: Record<string, string | null> = {},
): string {
  const query = new URLSearchParams(here.search);
  query.delete("delete");
  for (const [name, value] of Object.entries(changes))
    if (value) query.set(name, value);
    else query.delete(name);
  const text = query.toString();
  return text ? `${here.pathname}?${text}` : here.pathname;
}

/** What a heading that sorts needs: where it leads, and how the list is sorted by it now. */
export function sortLink(
  here: ListAddress,
  now: { sort: string; direction: "asc" | "desc" },
  name: string,
  first: "asc" | "desc" = "asc",
) {
  const isThis = now.sort === name;
  const other = now.direction === "asc" ? "desc" : "asc";
  const next = isThis ? other : first;
  const href = listAddress(here, { sort: next === "desc" ? `-${name}` : name, at: null });
  const words = { asc: "ascending", desc: "descending" } as const;
  return { href, sorted: isThis ? words[now.direction] : undefined };
}

type ListToolsProps = Pick<ListProps, "searchLabel" | "search" | "filters"> & {
  sort: string | null;
};

// A form whose answer is an address.
function ListTools({ searchLabel, search, sort, filters }: ListToolsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is younger than some readers
    <form method="get" role="search" className="list-tools">
      {sort && <input type="hidden" name="sort" value={sort} />}
      {searchLabel && (
        <Input
          dense
          type="search"
          name="q"
          aria-label={searchLabel}
          placeholder={searchLabel}
          defaultValue={search}
          key={search}
        />
      )}
      {filters}
      <Button type="submit" variant="outline" size="sm">
        <Search aria-hidden="true" strokeWidth={1.75} /> Search
      </Button>
    </form>
  );
}

/** Where a page of a list is, and what its neighbours are called in the address. */
export type Pages = { here: ListAddress; previous: string | null; next: string | null };

type PagerProps = Pages & {
  /** Where the whole list can be had as a file, as it is searched, filtered and sorted now. */
  exportPath?: string | false;
};

/** To the pages before and after this one, where there are any, and to the list as a file. */
export function Pager({ here, previous, next, exportPath }: PagerProps) {
  if (!previous && !next && !exportPath) return null;
  return (
    <div className="mt-6 flex flex-wrap items-center gap-3">
      {(previous || next) && (
        <nav aria-label="Pages" className="flex gap-3">
          {previous && (
            <ButtonLink
              variant="outline"
              size="sm"
              rel="prev"
              href={listAddress(here, { at: previous })}
            >
              <ArrowLeft aria-hidden="true" strokeWidth={1.75} /> Previous
            </ButtonLink>
          )}
          {next && (
            <ButtonLink
              variant="outline"
              size="sm"
              rel="next"
              href={listAddress(here, { at: next })}
            >
              Next <ArrowRight aria-hidden="true" strokeWidth={1.75} />
            </ButtonLink>
          )}
        </nav>
      )}
      {exportPath && (
        <ButtonLink
          variant="ghost"
          size="sm"
          className="ms-auto"
          download
          href={listAddress({ ...here, pathname: exportPath }, { at: null })}
        >
          <Download aria-hidden="true" strokeWidth={1.75} /> Export as CSV
        </ButtonLink>
      )}
    </div>
  );
}

type ListProps = Pages & {
  things: string;
  searchLabel?: string;
  search?: string;
  filters?: ReactNode;
  /** The table of this page's rows; false without any. */
  children: ReactNode;
  /** Shown alone where there is nothing to search in. */
  empty?: ReactNode;
  /** Shown where search and filters match nothing. */
  notFound: { title: string; hint?: string };
  exportPath?: string;
};

const narrowing = ["q", "course", "module", "kind", "by", "state", "at"];

/** A list of the admin: search and filters, rows or what to do without, pages and the file. */
export function List({ things, children, empty, notFound, ...list }: ListProps) {
  const { here, searchLabel, search, filters, exportPath, ...pages } = list;
  const query = new URLSearchParams(here.search);
  if (!children && empty && !narrowing.some((name) => query.get(name))) return empty;
  const all = listAddress(here, Object.fromEntries(narrowing.map((name) => [name, null])));
  return (
    <>
      <ListTools {...{ searchLabel, search, filters }} sort={query.get("sort")} />
      {children || (
        <EmptyState
          title={notFound.title}
          action={
            <ButtonLink variant="outline" href={all}>
              Show all {things}
            </ButtonLink>
          }
        >
          {notFound.hint && <p>{notFound.hint}</p>}
        </EmptyState>
      )}
      <Pager here={here} exportPath={Boolean(children) && exportPath} {...pages} />
    </>
  );
}

type RowButtonProps = ComponentProps<typeof Button> & { id: string; formClass?: string };

/** Posts the id of a row, with an intent (`value`). */
export function RowButton({ id, formClass, ...button }: RowButtonProps) {
  return (
    <Form method="post" preventScrollReset className={formClass}>
      <input type="hidden" name="id" value={id} />
      <Button type="submit" name="intent" {...button} />
    </Form>
  );
}
