import { ArrowLeft, ArrowRight, Download, Search } from "lucide";
import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useRef } from "react";
import { Form, useNavigate } from "react-router";
import { Button, ButtonLink } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";
import { Icon } from "./icon.tsx";
import { Input } from "./inputs.tsx";
import { Select } from "./select.tsx";

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

type ListToolsProps = Pick<ListProps, "here" | "searchLabel" | "search" | "filters">;

/** In milliseconds: between two keys of a word there is less. */
const typingPause = 300;

// A form whose answer is an address. With scripts it is sent as one types, and its button is gone.
function ListTools({ here, searchLabel, search = "", filters }: ListToolsProps) {
  const navigate = useNavigate();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const now = useRef(here);
  now.current = here;
  function sendSoon({ currentTarget: form, target }: FormEvent<HTMLFormElement>) {
    clearTimeout(timer.current);
    const wait = target instanceof HTMLInputElement ? typingPause : 0;
    timer.current = setTimeout(() => {
      const fields = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
      const asked = { at: null, module: null, done: null, ...Object.fromEntries(fields) };
      const to = listAddress(now.current, asked);
      if (to === listAddress(now.current)) return;
      void navigate(to, { replace: true, preventScrollReset: true });
    }, wait);
  }
  const sort = new URLSearchParams(here.search).get("sort");
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is younger than some readers
    <form
      method="get"
      role="search"
      className="list-tools"
      onInput={sendSoon}
      onSubmit={() => clearTimeout(timer.current)}
    >
      {sort && <input type="hidden" name="sort" value={sort} />}
      {searchLabel && <SearchBox label={searchLabel} search={search} />}
      {filters}
      <span className="list-search">
        <Button type="submit" variant="outline" size="sm">
          <Icon of={Search} /> Search
        </Button>
      </span>
    </form>
  );
}

function SearchBox({ label, search }: { label: string; search: string }) {
  const box = useRef<HTMLInputElement>(null);
  const before = useRef(search);
  useEffect(() => {
    if (before.current === search) return;
    before.current = search;
    // While it is typed in, what is typed is newer than the address.
    if (box.current && box.current !== document.activeElement) box.current.value = search;
  }, [search]);
  return (
    <Input
      ref={box}
      dense
      type="search"
      name="q"
      aria-label={label}
      placeholder={label}
      defaultValue={search}
    />
  );
}

type FilterProps = Omit<ComponentProps<typeof Select>, "ref" | "dense" | "defaultValue"> & {
  chosen: string | null;
};

/** A choice that narrows a list. It keeps focus when the list changes. */
export function Filter({ chosen, ...select }: FilterProps) {
  const box = useRef<HTMLSelectElement>(null);
  const before = useRef(chosen);
  useEffect(() => {
    if (before.current === chosen) return;
    before.current = chosen;
    if (box.current) box.current.value = chosen ?? "";
  }, [chosen]);
  return <Select ref={box} dense defaultValue={chosen ?? ""} {...select} />;
}

/** Where a page of a list is, and what its neighbours are called in the address. */
export type Pages = { here: ListAddress; previous: string | null; next: string | null };

export const rowsAPage = 50;

const most = 1000;

/** What is known of the number of its rows, and of this page's own number. */
type Counted = { total: number | null; page: number | null };

export type ListPages = Pages & Counted;

/** '212 students, page 3 of 5', 'More than 1,000 students, page 3'. */
export function listCount(things: string, { total, page }: Counted): string {
  if (total === null) return page ? `Page ${page}` : "";
  const number = total.toLocaleString("en-US");
  if (total > most)
    return `More than ${most.toLocaleString("en-US")} ${things}${page ? `, page ${page}` : ""}`;
  const all = `${number} ${total === 1 ? things.slice(0, -1) : things}`;
  const pages = Math.ceil(total / rowsAPage);
  return pages > 1 && page ? `${all}, page ${Math.min(page, pages)} of ${pages}` : all;
}

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
              <Icon of={ArrowLeft} /> Previous
            </ButtonLink>
          )}
          {next && (
            <ButtonLink
              variant="outline"
              size="sm"
              rel="next"
              href={listAddress(here, { at: next })}
            >
              Next <Icon of={ArrowRight} />
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
          <Icon of={Download} /> Export as CSV
        </ButtonLink>
      )}
    </div>
  );
}

type ListProps = ListPages & {
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
export function List({ things, total, page, children, empty, notFound, ...list }: ListProps) {
  const { here, searchLabel, search, filters, exportPath, ...pages } = list;
  const query = new URLSearchParams(here.search);
  if (!children && empty && !narrowing.some((name) => query.get(name))) return empty;
  const all = listAddress(here, Object.fromEntries(narrowing.map((name) => [name, null])));
  return (
    <>
      {(searchLabel || filters) && <ListTools {...{ here, searchLabel, search, filters }} />}
      <p className="list-count" role="status">
        {children ? (
          listCount(things, { total, page })
        ) : (
          <span className="sr-only">Nothing found</span>
        )}
      </p>
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

type RowButtonProps = ComponentProps<typeof Button> & { id: string };

/** Posts the id of a row, with an intent (`value`). */
export function RowButton({ id, ...button }: RowButtonProps) {
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="id" value={id} />
      <Button type="submit" name="intent" {...button} />
    </Form>
  );
}
