import { servicesOf } from "~/platform/http/context.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { Accordion, AccordionItem } from "~/ui/accordion.tsx";
import { ButtonLink } from "~/ui/button.tsx";
import { Illustration } from "~/ui/illustrations/illustration.tsx";
import twoChairs from "~/ui/illustrations/two-chairs.svg?raw";
import { Page } from "~/ui/page.tsx";
import { Prose } from "~/ui/prose.tsx";
import { Spread } from "~/ui/public-parts.tsx";
import text from "~content/pages/coaching.md";
import faq from "~content/pages/coaching-faq.md";
import type { PageText } from "~content/schema.ts";
import { site } from "~content/site.ts";
import { breadcrumbs, coachingService, faqPage } from "~content/structured-data.ts";
import { PageData, PageHead } from "../page-head.tsx";
import type { Route } from "./+types/coaching.ts";

type Four<T> = [T, T, T, T];

export const handle = { shared: true } satisfies RouteHandle;

// Facts about the sessions (spec 2, /coaching).
const facts = [
  { term: "A session", detail: "60 minutes" },
  { term: "How often", detail: "Weekly, biweekly or monthly" },
  { term: "Where", detail: "By video call or phone" },
  { term: "In between", detail: "Email access between sessions" },
];

// content/schema.ts guarantees that there are four.
const [howItWorks, howToBegin, whoItIsFor, notForThis] = text.sections as Four<
  PageText["sections"][number]
>;

export function loader({ context }: Route.LoaderArgs) {
  const { config } = servicesOf(context);
  return { applicationUrl: config.coachingApplicationUrl ?? site.coachingApplicationUrl };
}

export default function Coaching({ loaderData: { applicationUrl } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title={text.title} description={text.description} image="coaching" />
      <PageData
        of={(origin) => [
          coachingService(origin, text.description),
          faqPage(`${origin}/coaching`, faq.sections),
          breadcrumbs(origin, ["Coaching", "/coaching"]),
        ]}
      />
      <Page>
        <header className="opening columns items-end gap-y-7 pb-section">
          <h1 className="col-span-full text-5xl">{text.heading}</h1>
          <div className="md:col-span-6">
            <p className="max-w-[34rem] text-lg text-pretty text-ink-soft">{text.lead}</p>
            <Apply url={applicationUrl} noteId="apply-note" className="mt-9" />
            <p className="mt-2 text-sm text-ink-soft [&_a]:py-3">
              If you are not safe right now, <a href={`#${notForThis.id}`}>these people answer</a>.
            </p>
          </div>
          <Illustration drawing={twoChairs} className="max-md:mt-3 md:col-[7/-1]" />
        </header>
        <div className="columns pb-section">
          <dl className="facts column-start">
            {facts.map(({ term, detail }) => (
              <div key={term}>
                <dt>{term}</dt>
                <dd>{detail}</dd>
              </div>
            ))}
          </dl>
          <Prose html={text.html} className="column-end" />
        </div>
        <Spread id={howItWorks.id} title={howItWorks.title} className="border-t border-line">
          <Prose html={howItWorks.html} />
        </Spread>
        <Spread id={howToBegin.id} title={howToBegin.title} className="border-t border-line">
          <Prose html={howToBegin.html} />
          <Apply url={applicationUrl} noteId="apply-note-again" className="mt-9" />
        </Spread>
        <Spread id={whoItIsFor.id} title={whoItIsFor.title} className="border-t border-line">
          <Prose html={whoItIsFor.html} />
        </Spread>
      </Page>
      <div className="band">
        <Page>
          <Spread id={notForThis.id} title={notForThis.title}>
            <Prose html={notForThis.html} />
          </Spread>
        </Page>
      </div>
      <Page>
        <Spread id="questions" title={faq.heading}>
          <Accordion>
            {faq.sections.map(({ id, title, html }) => (
              <AccordionItem key={id} title={title}>
                <Prose html={html} />
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
