import { Pencil, useWords } from "~/features/pages/components/pencil.tsx";
import { pageWords } from "~/features/pages/page-words.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { Accordion, AccordionItem } from "~/ui/accordion.tsx";
import { ButtonLink } from "~/ui/button.tsx";
import { Illustration } from "~/ui/illustrations/illustration.tsx";
import twoChairs from "~/ui/illustrations/two-chairs.svg?raw";
import { Page } from "~/ui/page.tsx";
import { Prose } from "~/ui/prose.tsx";
import { headingId, Spread } from "~/ui/public-parts.tsx";
import type { PageContent } from "~content/fields.ts";
import { breadcrumbs, coachingService, faqPage } from "~content/structured-data.ts";
import { PageData, PageHead } from "../page-head.tsx";
import type { Route } from "./+types/coaching.ts";

type Four<T> = [T, T, T, T];

export const handle = { shared: true } satisfies RouteHandle;

export async function loader({ context, url }: Route.LoaderArgs) {
  const page = await pageWords({ context, url }, "coaching");
  return { ...page, applicationUrl: servicesOf(context).config.coachingApplicationUrl };
}

export default function Coaching({ loaderData }: Route.ComponentProps) {
  const words = useWords(loaderData.words);
  const applicationUrl = loaderData.applicationUrl ?? words.application;
  // content/fields.ts guarantees that there are four.
  const [howItWorks, howToBegin, whoItIsFor, notForThis] = words.sections as Four<
    PageContent<"coaching">["sections"][number]
  >;
  return (
    <>
      <PageHead title={words.title} description={words.description} share={loaderData.share} />
      <PageData
        of={(origin, site) => [
          coachingService(origin, site, words.description),
          faqPage(`${origin}/coaching`, words.questions),
          breadcrumbs(origin, [site.coachingLabel, "/coaching"]),
        ]}
      />
      <Page>
        <header className="opening columns items-end gap-y-7 pb-section">
          <h1 className="col-span-full text-5xl">
            {words.heading}
            <Pencil at="heading" />
          </h1>
          <div className="md:col-span-6">
            <p className="max-w-[34rem] text-lg text-pretty text-ink-soft">
              {words.lead}
              <Pencil at="lead" />
            </p>
            <Apply url={applicationUrl} noteId="apply-note" className="mt-9" />
            <Pencil at="application" />
            <p className="mt-2 text-sm text-ink-soft [&_a]:py-3">
              {`${words.notSafe} `}
              <a href={`#${headingId(notForThis.title)}`}>{words.notSafeLink}</a>.
              <Pencil at="notSafe" />
            </p>
          </div>
          <Illustration drawing={twoChairs} className="max-md:mt-3 md:col-[7/-1]" />
        </header>
        <div className="columns pb-section">
          <dl className="facts column-start">
            {words.facts.map(({ term, detail }, at) => (
              <div key={term}>
                <dt>{term}</dt>
                <dd>
                  {detail}
                  <Pencil at="facts" item={at} />
                </dd>
              </div>
            ))}
          </dl>
          <Prose html={words.text} className="column-end" />
          <Pencil at="text" />
        </div>
        <Spread
          id={headingId(howItWorks.title)}
          title={howItWorks.title}
          className="border-t border-line"
        >
          <Prose html={howItWorks.text} />
          <Pencil at="sections" item={0} />
        </Spread>
        <Spread
          id={headingId(howToBegin.title)}
          title={howToBegin.title}
          className="border-t border-line"
        >
          <Prose html={howToBegin.text} />
          <Pencil at="sections" item={1} />
          <Apply url={applicationUrl} noteId="apply-note-again" className="mt-9" />
        </Spread>
        <Spread
          id={headingId(whoItIsFor.title)}
          title={whoItIsFor.title}
          className="border-t border-line"
        >
          <Prose html={whoItIsFor.text} />
          <Pencil at="sections" item={2} />
        </Spread>
      </Page>
      <div className="band">
        <Page>
          <Spread id={headingId(notForThis.title)} title={notForThis.title}>
            <Prose html={notForThis.text} />
            <Pencil at="sections" item={3} />
          </Spread>
        </Page>
      </div>
      <Page>
        <Spread
          id="questions"
          title={
            <>
              {words.questionsTitle}
              <Pencil at="questionsTitle" />
            </>
          }
        >
          <Accordion>
            {words.questions.map(({ title, text }, at) => (
              <AccordionItem key={title} title={title}>
                <Prose html={text} />
                <Pencil at="questions" item={at} />
              </AccordionItem>
            ))}
          </Accordion>
        </Spread>
      </Page>
    </>
  );
}

type ApplyProps = { url: string; noteId: string; className?: string };

// The link to the application form. It opens in the same tab: the back button of a phone then
// returns here, and no tired visitor has to find a second tab.
function Apply({ url, noteId, className = "" }: ApplyProps) {
  return (
    <div className={className}>
      <ButtonLink
        href={url}
        rel="noopener noreferrer"
        variant="hero"
        size="lg"
        aria-describedby={noteId}
      >
        Apply
      </ButtonLink>
      <p id={noteId} className="mt-3 text-sm text-ink-soft">
        The application form is on another site, {new URL(url).host}.
      </p>
    </div>
  );
}
