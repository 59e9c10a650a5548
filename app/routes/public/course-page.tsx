import type { ReactNode } from "react";
import { courseData } from "~/features/courses/components/course-data.ts";
import { AtAGlance, Prospectus } from "~/features/courses/components/prospectus.tsx";
import { ClosingOffer, EnrollOffer } from "~/features/enrollments/components/enroll-offer.tsx";
import { enrollLabels } from "~/features/enrollments/messages.ts";
import { enrollLabel } from "~/features/enrollments/rules.ts";
import type { Offer } from "~/features/enrollments/schema.ts";
import { SubscribeButton } from "~/features/newsletter/components/newsletter-form.tsx";
import { Pencil, useWords } from "~/features/pages/components/pencil.tsx";
import { Breadcrumbs } from "~/ui/breadcrumbs.tsx";
import { Cover } from "~/ui/cover.tsx";
import compass from "~/ui/illustrations/compass.svg?raw";
import { Illustration } from "~/ui/illustrations/illustration.tsx";
import water from "~/ui/illustrations/water.svg?raw";
import { Page, Section } from "~/ui/page.tsx";
import type { CoursePageContent, ShareImage } from "~content/fields.ts";
import { unbroken } from "~content/site.ts";
import { breadcrumbs } from "~content/structured-data.ts";
import { useSite } from "~content/use-site.ts";
import { PageData, PageHead } from "../page-head.tsx";

/** Opens the newsletter dialog, as there is nothing to enroll in yet. */
export function ComingSoonButton() {
  return (
    <SubscribeButton size="xl" variant="hero">
      {enrollLabels.comingSoon}
    </SubscribeButton>
  );
}

type SalesPageProps = Offer & {
  words: CoursePageContent;
  refundNote: string | null;
  share: ShareImage;
};

/** The page that sells a course, by its words; with a line below its heading, the picture is as wide
 * as the page, else it stands beside the opening (spec 2, 7 Days of Calm and Blue Dot). */
export function SalesPage({ words: published, share, refundNote, ...offer }: SalesPageProps) {
  const words = useWords(published);
  const { slug, course, isComingSoon } = offer;
  const priceCents = course?.priceCents ?? null;
  const button = {
    slug,
    isEnrolled: offer.isEnrolled,
    label: enrollLabel(priceCents),
    instead: isComingSoon && <ComingSoonButton />,
  };
  const facts = words.facts.map(({ fact }) => fact);
  const cover = course?.cover ?? null;
  const opening = {
    words,
    cover,
    enroll: <EnrollOffer {...button} priceCents={priceCents} refundNote={refundNote} />,
  };
  const isWide = words.subtitle !== "";
  return (
    <>
      <PageHead title={words.title} description={words.description} share={share} cover={cover} />
      <PageData
        of={(origin, site) => [
          courseData(origin, site, {
            ...{ title: words.title, description: words.description, ...course },
            ...{ slug, priceCents, forSale: !isComingSoon },
          }),
          breadcrumbs(origin, [site.coursesLabel, "/courses"], [words.title, `/courses/${slug}`]),
        ]}
      />
      <Page>
        <Breadcrumbs items={[{ label: "Courses", href: "/courses" }, { label: words.heading }]} />
        {isWide ? <WideOpening {...opening} /> : <OpeningBeside {...opening} />}
      </Page>
      {isWide && <WidePicture cover={cover} />}
      {facts.length > 0 && (
        <Page className={isWide ? "mt-14" : ""}>
          <AtAGlance facts={facts} pencil={(item) => <Pencil at="facts" item={item} />} />
        </Page>
      )}
      <Prospectus words={words} pencil={(at, item) => <Pencil at={at} item={item} />} />
      <Page>
        <ClosingOffer
          {...button}
          title={
            <>
              {words.closingTitle || "There is no hurry"}
              <Pencil at="closingTitle" />
            </>
          }
          words={words.closing || "The course stays here. Begin when you have ten minutes."}
          pencil={<Pencil at="closing" />}
        />
      </Page>
    </>
  );
}

type OpeningProps = {
  words: CoursePageContent;
  cover: NonNullable<Offer["course"]>["cover"];
  /** The button and the price. */
  enroll: ReactNode;
};

function OpeningBeside({ words, cover, enroll }: OpeningProps) {
  const site = useSite();
  return (
    <Section
      labelledBy="course-title"
      space="none"
      className="opening grid items-center gap-x-16 gap-y-14 pb-section lg:grid-cols-[minmax(0,8fr)_minmax(0,4fr)]"
    >
      <div>
        <h1 id="course-title" className="text-5xl">
          {unbroken(site, words.heading)}
          <Pencil at="heading" />
        </h1>
        <p className="mt-6 mb-10 max-w-[34rem] text-lg text-pretty text-ink-soft">
          {words.lead}
          <Pencil at="lead" />
        </p>
        {enroll}
      </div>
      {cover ? (
        <Cover picture={cover} sizes="(min-width: 64rem) 22rem, 92vw" isFirst />
      ) : (
        <Illustration drawing={compass} className="mx-auto max-w-[15rem] lg:max-w-none" />
      )}
    </Section>
  );
}

function WideOpening({ words, enroll }: OpeningProps) {
  return (
    <Section labelledBy="course-title" space="none" className="opening columns gap-y-8 pb-section">
      <div className="column-start">
        <h1 id="course-title" className="text-5xl">
          {words.heading}
          <Pencil at="heading" />
        </h1>
        <p className="mt-3 font-serif text-2xl text-ink-soft">
          {words.subtitle}
          <Pencil at="subtitle" />
        </p>
      </div>
      <div className="column-end md:mt-2">
        <p className="mb-10 max-w-[34rem] text-lg text-pretty text-ink-soft">
          {words.lead}
          <Pencil at="lead" />
        </p>
        {enroll}
      </div>
    </Section>
  );
}

function WidePicture({ cover }: Pick<OpeningProps, "cover">) {
  if (!cover) return <Illustration drawing={water} band="water" />;
  return (
    <Page>
      <Cover picture={cover} sizes="(min-width: 72rem) 70rem, 92vw" />
    </Page>
  );
}
