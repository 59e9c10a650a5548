import type { ReactNode } from "react";
import { courseData } from "~/features/courses/components/course-data.ts";
import { AtAGlance, Prospectus } from "~/features/courses/components/prospectus.tsx";
import { ClosingOffer, EnrollOffer } from "~/features/enrollments/components/enroll-offer.tsx";
import { enrollLabels } from "~/features/enrollments/messages.ts";
import { enrollLabel } from "~/features/enrollments/rules.ts";
import type { Offer } from "~/features/enrollments/schema.ts";
import { SubscribeButton } from "~/features/newsletter/components/newsletter-form.tsx";
import { Breadcrumbs } from "~/ui/breadcrumbs.tsx";
import { Page } from "~/ui/page.tsx";
import type { PageText } from "~content/schema.ts";
import { breadcrumbs } from "~content/structured-data.ts";
import { PageData, PageHead } from "../page-head.tsx";

/** Opens the newsletter dialog, as there is nothing to enroll in yet. */
export function ComingSoonButton() {
  return (
    <SubscribeButton size="xl" variant="hero">
      {enrollLabels.comingSoon}
    </SubscribeButton>
  );
}

type ProspectusPageProps = {
  slug: "blue-dot-method" | "seven-days-of-calm";
  text: PageText;
  offer: Offer & { refundNote: string | null };
  facts: readonly string[];
  /** A full-width drawing between the opening and the facts. */
  between?: ReactNode;
  /** The page's own opening, around the button and the price. */
  children: (enroll: ReactNode) => ReactNode;
};

/** What the pages of the two announced courses share (spec 2, Blue Dot and 7 Days of Calm). */
export function ProspectusPage(props: ProspectusPageProps) {
  const { slug, text, offer, facts, between, children } = props;
  const priceCents = offer.course?.priceCents ?? null;
  const button = {
    slug,
    isEnrolled: offer.isEnrolled,
    label: enrollLabel(priceCents),
    instead: offer.isComingSoon && <ComingSoonButton />,
  };
  return (
    <>
      <PageHead
        title={text.title}
        description={text.description}
        image={slug}
        cover={offer.course?.cover ?? null}
      />
      <PageData
        of={(origin) => [
          courseData(origin, {
            ...text,
            ...offer.course,
            ...{ slug, priceCents, forSale: !offer.isComingSoon },
          }),
          breadcrumbs(origin, ["Courses", "/courses"], [text.title, `/courses/${slug}`]),
        ]}
      />
      <Page>
        <Breadcrumbs items={[{ label: "Courses", href: "/courses" }, { label: text.heading }]} />
        {children(
          <EnrollOffer {...button} priceCents={priceCents} refundNote={offer.refundNote} />,
        )}
      </Page>
      {between}
      <Page className={between ? "mt-14" : ""}>
        <AtAGlance facts={facts} />
      </Page>
      <Prospectus sections={text.sections} />
      <Page>
        <ClosingOffer {...button} />
      </Page>
    </>
  );
}
