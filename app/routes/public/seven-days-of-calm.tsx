import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { Cover } from "~/ui/cover.tsx";
import { Illustration } from "~/ui/illustrations/illustration.tsx";
import water from "~/ui/illustrations/water.svg?raw";
import { Page, Section } from "~/ui/page.tsx";
import text from "~content/pages/seven-days-of-calm.md";
import type { Route } from "./+types/seven-days-of-calm.ts";
import { enrollAction, offerLoader } from "./course-page.server.ts";
import { ProspectusPage } from "./course-page.tsx";

export const handle = { shared: true, checkout: true } satisfies RouteHandle;

const slug = "seven-days-of-calm";
const facts = ["7 daily lessons by email", "10-minute practices", "Audio guides", "Workbook PDF"];

export const loader = offerLoader(slug);
export const action = enrollAction(slug);

/** Spec 2, 7 Days of Calm page. */
export default function SevenDaysOfCalm({ loaderData: offer }: Route.ComponentProps) {
  return (
    <ProspectusPage
      slug={slug}
      text={text}
      offer={offer}
      facts={facts}
      between={
        offer.course?.cover ? (
          <Page>
            <Cover picture={offer.course.cover} sizes="(min-width: 72rem) 70rem, 92vw" />
          </Page>
        ) : (
          <Illustration drawing={water} band="water" />
        )
      }
    >
      {(enroll) => (
        <Section
          labelledBy="course-title"
          space="none"
          className="opening columns gap-y-8 pb-section"
        >
          <div className="column-start">
            <h1 id="course-title" className="text-5xl">
              {text.heading}
            </h1>
            <p className="mt-3 font-serif text-2xl text-ink-soft">A Grief Reset Kit</p>
          </div>
          <div className="column-end md:mt-2">
            <p className="mb-10 max-w-[34rem] text-lg text-pretty text-ink-soft">{text.lead}</p>
            {enroll}
          </div>
        </Section>
      )}
    </ProspectusPage>
  );
}
