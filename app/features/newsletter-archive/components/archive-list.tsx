import { useRouteLoaderData } from "react-router";
import { useSite } from "~content/use-site.ts";
import type { ArchivedLine } from "../archive.server.ts";
import { archivePath, feedPath, issuePath } from "../rules.ts";

/** Tells feed readers where the newsletter's feed is. */
export function FeedLink() {
  const { name } = useSite();
  const root = useRouteLoaderData("root") as { appUrl: string } | undefined;
  const href = (root?.appUrl ?? "") + feedPath;
  return (
    <link rel="alternate" type="application/atom+xml" title={`${name}: newsletter`} href={href} />
  );
}

/** Issues as a book has its contents: the day, what it is called, and its first line. */
export function ArchiveList({ issues }: { issues: readonly ArchivedLine[] }) {
  return (
    <ol className="border-t border-line">
      {issues.map(({ slug, subject, preview, startedAt, date }) => (
        <li
          key={slug}
          className="grid gap-x-8 gap-y-1 border-b border-line py-6 sm:grid-cols-[11rem_minmax(0,1fr)] sm:items-baseline"
        >
          <time dateTime={startedAt} className="text-sm text-ink-soft">
            {date}
          </time>
          <div className="min-w-0">
            <h2 dir="auto" className="text-xl font-[450] wrap-anywhere">
              <a href={issuePath(slug)} className="text-ink no-underline hover:underline">
                {subject}
              </a>
            </h2>
            {preview && (
              <p
                dir="auto"
                className="mt-1.5 max-w-[40rem] text-pretty wrap-anywhere text-ink-soft"
              >
                {preview}
              </p>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** The pages of the archive's years; `shown` is the one that is open, null on its first page. */
export function ArchiveYears({ years, shown }: { years: readonly number[]; shown: number | null }) {
  if (years.length === 0) return null;
  const of = (href: string, label: string, isShown: boolean) => (
    <li key={href}>
      <a
        href={href}
        aria-current={isShown ? "page" : undefined}
        className={`inline-flex min-h-11 min-w-11 items-center ${isShown ? "font-[550]" : "text-dot underline underline-offset-4"}`}
      >
        {label}
      </a>
    </li>
  );
  return (
    <nav aria-label="Years" className="mt-8">
      <ul className="flex flex-wrap gap-x-6">
        {of(archivePath, "Newest", shown === null)}
        {years.map((year) => of(`${archivePath}/${year}`, String(year), shown === year))}
      </ul>
    </nav>
  );
}

type NeighborsProps = { previous: ArchivedLine | null; next: ArchivedLine | null };

/** The issues before and after one, by their names. */
export function Neighbors({ previous, next }: NeighborsProps) {
  if (!previous && !next) return null;
  const of = (issue: ArchivedLine | null, label: string, className: string) =>
    issue && (
      <a
        href={issuePath(issue.slug)}
        rel={label === "Before" ? "prev" : "next"}
        className={`group block py-1 text-ink no-underline ${className}`}
      >
        <span className="block text-sm text-ink-soft">{label}</span>
        <span
          dir="auto"
          className="mt-1 block font-serif text-lg text-balance wrap-anywhere group-hover:underline"
        >
          {issue.subject}
        </span>
      </a>
    );
  return (
    <nav
      aria-label="Other newsletters"
      className="mt-16 grid gap-x-8 gap-y-6 border-t border-line pt-8 sm:grid-cols-2"
    >
      {of(previous, "Before", "")}
      {of(next, "After", "sm:col-start-2 sm:text-end")}
    </nav>
  );
}
