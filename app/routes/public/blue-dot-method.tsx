import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { Cover } from "~/ui/cover.tsx";
import compass from "~/ui/illustrations/compass.svg?raw";
import { Illustration } from "~/ui/illustrations/illustration.tsx";
import { Section } from "~/ui/page.tsx";
import text from "~content/pages/blue-dot-method.md";
import { unbroken } from "~content/site.ts";
import type { Route } from "./+types/blue-dot-method.ts";
import { enrollAction, offerLoader } from "./course-page.server.ts";
import { ProspectusPage } from "./course-page.tsx";

export const handle = { shared: true, checkout: true } satisfies RouteHandle;

const slug = "blue-dot-method";
const title = unbroken(text.heading);
const facts = [
  "6-week course",
  "Daily practices of 10 minutes or less",
  "Downloadable worksheets",
  "Lifetime access",
];

export const loader = offerLoader(slug);
export const action = enrollAction(slug);

/** Spec 2, Blue Dot course page. */
export default function BlueDotMethod({ loaderData: offer }: Route.ComponentProps) {
  return (
    <ProspectusPage slug={slug} text={text} offer={offer} facts={facts}>
      {(enroll) => (
        <Section
          labelledBy="course-title"
          space="none"
          className="opening grid items-center gap-x-16 gap-y-14 pb-section lg:grid-cols-[minmax(0,8fr)_minmax(0,4fr)]"
        >
          <div>
            <h1 id="course-title" className="text-5xl">
              {title}
            </h1>
            <p className="mt-6 mb-10 max-w-[34rem] text-lg text-pretty text-ink-soft">
              {text.lead}
            </p>
            {enroll}
          </div>
          {offer.course?.cover ? (
            <Cover picture={offer.course.cover} sizes="(min-width: 64rem) 22rem, 92vw" isFirst />
          ) : (
            <Illustration drawing={compass} className="mx-auto max-w-[15rem] lg:max-w-none" />
          )}
        </Section>
      )}
    </ProspectusPage>
  );
}
