import { NewsletterSection } from "~/features/newsletter/components/newsletter-form.tsx";
import { listArchive } from "~/features/newsletter-archive/archive.server.ts";
import { archiveData } from "~/features/newsletter-archive/components/archive-data.ts";
import {
  ArchiveList,
  ArchiveYears,
  FeedLink,
} from "~/features/newsletter-archive/components/archive-list.tsx";
import { archivePath, feedPath, parseYear } from "~/features/newsletter-archive/rules.ts";
import { missingPage } from "~/features/redirects/missing-page.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { Page } from "~/ui/page.tsx";
import { breadcrumbs } from "~content/structured-data.ts";
import { useSite } from "~content/use-site.ts";
import { PageData, PageHead } from "../page-head.tsx";
import type { Route } from "./+types/newsletter-archive.ts";

export const handle = { shared: true } satisfies RouteHandle;

/** The archive's first page, and that of each year. */
export async function loader({ context, url, params }: Route.LoaderArgs) {
  const services = servicesOf(context);
  const { year: typed } = params as { year?: string };
  const year = typed === undefined ? null : parseYear(typed);
  const isYear = typed === undefined || year !== null;
  const { issues, years } = isYear ? await listArchive(services, year) : { issues: [], years: [] };
  if (typed !== undefined && issues.length === 0) throw await missingPage({ context, url });
  return { year, issues, years, share: services.content.share("newsletter") };
}

const title = "The newsletter so far";

export default function NewsletterArchive({ loaderData }: Route.ComponentProps) {
  const { year, issues, years, share } = loaderData;
  const { coachName, newsletterTitle, newsletterSubtitle } = useSite();
  const isEmpty = issues.length === 0;
  const heading = year === null ? title : `The newsletter in ${year}`;
  const description = `What ${coachName} has written in the weekly newsletter, to be read at any time and in any order.`;
  return (
    <Page>
      <PageHead
        title={heading}
        description={description}
        share={share}
        noindex={isEmpty || year !== null}
      />
      <FeedLink />
      {!isEmpty && year === null && (
        <PageData
          of={(origin, site) => [
            archiveData(origin, site, issues),
            breadcrumbs(origin, [title, archivePath]),
          ]}
        />
      )}
      <div className="opening max-w-[56rem] pb-section">
        <h1 id="title" className="text-5xl">
          {heading}
        </h1>
        <p className="mt-6 max-w-[38rem] text-lg text-pretty text-ink-soft">
          {isEmpty
            ? "Nothing has been sent yet. Each newsletter will be here from the day it goes out, to be read at any time and in any order."
            : "Each was an email once. Read them at any time and in any order, or only the one you need."}
        </p>
        {!isEmpty && (
          <div className="mt-12">
            <ArchiveList issues={issues} />
            <ArchiveYears years={years} shown={year} />
            <p className="mt-8 text-sm text-ink-soft">
              There is also a <a href={feedPath}>feed</a>, for programs that collect what is new.
            </p>
          </div>
        )}
      </div>
      <div className="border-t border-line">
        <NewsletterSection source="archive" id="newsletter" title={newsletterTitle}>
          {newsletterSubtitle}
        </NewsletterSection>
      </div>
    </Page>
  );
}
