import { ArrowLeft, ArrowRight, Download, Search } from "lucide-react";
import type { ReactNode } from "react";
import { Button, ButtonLink } from "./button.tsx";
import { Input } from "./inputs.tsx";

/** The address of a list with some of its parameters changed; null and '' leave one out. */
export function listAddress(
  here: { pathname: string; search: string },
  changes: Record<string, string | null>,
): string {
  const query = new URLSearchParams(here.search);
  for (const [name, value] of Object.entries(changes))
    if (value) query.set(name, value);
    else query.delete(name);
  const text = query.toString();
  return text ? `${here.pathname}?${text}` : here.pathname;
}

/** What a heading that sorts needs: where it leads, and how the list is sorted by it now. */
export function sortLink(
  here: { pathname: string; search: string },
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

type ListToolsProps = {
  /** What is looked for, e.g. 'Search by name or email'; without it there is no search. */
  searchLabel?: string;
  search?: string;
  /** Sent along as they are: the order, for example. */
  otherParams?: Record<string, string | null>;
  /** Filters: Selects with names. */
  children?: ReactNode;
};

/** Search and filters above a list: a form whose answer is an address. */
export function ListTools({ searchLabel, search, otherParams = {}, children }: ListToolsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is younger than some readers
    <form method="get" role="search" className="list-tools">
      {Object.entries(otherParams).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
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
      {children}
      <Button type="submit" variant="outline" size="sm">
        <Search aria-hidden="true" strokeWidth={1.75} /> Search
      </Button>
    </form>
  );
}

type PagerProps = {
  here: { pathname: string; search: string };
  previous: string | null;
  next: string | null;
  /** Where the whole list can be had as a file, as it is searched, filtered and sorted now. */
  exportPath?: string | false;
};

/** To the pages before and after this one, where there are any, and to the list as a file. */
export function Pager({ here, previous, next, exportPath }: PagerProps) {
  if (!previous && !next && !exportPath) return null;
  return (
    <div className="list-foot">
      {(previous || next) && (
        <nav aria-label="Pages" className="list-pager">
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
          className="list-export"
          download
          href={listAddress({ ...here, pathname: exportPath }, { at: null, delete: null })}
        >
          <Download aria-hidden="true" strokeWidth={1.75} /> Export as CSV
        </ButtonLink>
      )}
    </div>
  );
}
