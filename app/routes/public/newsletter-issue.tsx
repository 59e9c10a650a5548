import { NewsletterSection } from "~/features/newsletter/components/newsletter-form.tsx";
import { findArchived } from "~/features/newsletter-archive/archive.server.ts";
import { issueData } from "~/features/newsletter-archive/components/archive-data.ts";
import { FeedLink, Neighbors } from "~/features/newsletter-archive/components/archive-list.tsx";
import { archivePath, issueCard, issuePath } from "~/features/newsletter-archive/rules.ts";
import { missingPage } from "~/features/redirects/missing-page.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { Page } from "~/ui/page.tsx";
import { Prose } from "~/ui/prose.tsx";
import { breadcrumbs } from "~content/structured-data.ts";
import { useSite } from "~content/use-site.ts";
import { PageData, PageHead } from "../page-head.tsx";
import type { Route } from "./+types/newsletter-issue.ts";

export const handle = { shared: true } satisfies RouteHandle;

export async function loader({ context, url, params }: Route.LoaderArgs) {
  const services = servicesOf(context);
  const found = await findArchived(services, params.slug);
  if (!found) throw await missingPage({ context, url });
  return { ...found, share: services.content.share(issueCard(found.issue.id)) };
}

export default function NewsletterIssue({ loaderData }: Route.ComponentProps) {
  const { issue, previous, next, share } = loaderData;
  const { slug, subject, preview, startedAt, date, html } = issue;
  const { newsletterTitle, newsletterSubtitle } = useSite();
  return (
    <>
      <Page width="text">
        <PageHead title={subject} description={preview} share={share} />
        <FeedLink />
        <PageData
          of={(origin, site) => [
            issueData(origin, site, { ...issue, image: share.path }),
            breadcrumbs(origin, ["The newsletter so far", archivePath], [subject, issuePath(slug)]),
          ]}
        />
        <article aria-labelledby="title" className="opening pb-section">
          <header>
            <p className="flex flex-wrap items-baseline gap-x-4 text-sm text-ink-soft">
              <a
                href={archivePath}
                className="inline-flex min-h-11 items-center underline underline-offset-4"
              >
                The newsletter
              </a>
              <time dateTime={startedAt}>{date}</time>
            </p>
            <h1
              id="title"
              dir="auto"
              className={`mt-2 text-balance wrap-anywhere ${subject.length > 60 ? "text-3xl" : "text-4xl"}`}
            >
              {subject}
            </h1>
          </header>
          <Prose html={html} endMark className="mt-10" />
          <Neighbors previous={previous} next={next} />
        </article>
      </Page>
      <div className="band">
        <Page>
          <NewsletterSection source="archive" id="newsletter" title={newsletterTitle}>
            {newsletterSubtitle}
          </NewsletterSection>
        </Page>
      </div>
    </>
  );
}
