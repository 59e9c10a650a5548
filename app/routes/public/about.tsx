import { NewsletterSection } from "~/features/newsletter/components/newsletter-form.tsx";
import { Pencil, useWords } from "~/features/pages/components/pencil.tsx";
import { pageWords } from "~/features/pages/page-words.server.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { ButtonLink } from "~/ui/button.tsx";
import compass from "~/ui/illustrations/compass.svg?raw";
import { Illustration } from "~/ui/illustrations/illustration.tsx";
import { Portrait } from "~/ui/illustrations/portrait.tsx";
import { Page, Section } from "~/ui/page.tsx";
import { Prose } from "~/ui/prose.tsx";
import { headingId, Phrases } from "~/ui/public-parts.tsx";
import type { PageContent } from "~content/fields.ts";
import { aboutPage, breadcrumbs } from "~content/structured-data.ts";
import { useSite } from "~content/use-site.ts";
import { PageData, PageHead } from "../page-head.tsx";
import type { Route } from "./+types/about.ts";
import { findPortraitOrNone } from "./course-page.server.ts";

export const handle = { shared: true } satisfies RouteHandle;

type Words = { words: PageContent<"about"> };

export async function loader({ context, url }: Route.LoaderArgs) {
  const page = await pageWords({ context, url }, "about");
  return { ...page, portrait: await findPortraitOrNone(context) };
}

/** Spec 2, /about: the founder's story, the Blue Dot, four beliefs, next steps, the newsletter. */
export default function About({ loaderData }: Route.ComponentProps) {
  const { portrait } = loaderData;
  const words = useWords(loaderData.words);
  return (
    <>
      <PageHead title={words.title} description={words.description} share={loaderData.share} />
      <PageData
        of={(origin, site) => [
          aboutPage(origin, site, words),
          breadcrumbs(origin, [site.aboutLabel, "/about"]),
        ]}
      />
      <Page>
        <Story words={words} portrait={portrait} />
      </Page>
      <div className="band">
        <Page>
          <BlueDot words={words} />
        </Page>
      </div>
      <Page>
        <Beliefs words={words} />
        <WaysOn words={words} />
        <NewsletterSection
          id="newsletter"
          source="about"
          title={
            <>
              {words.newsletterTitle}
              <Pencil at="newsletterTitle" />
            </>
          }
          className="border-t border-line"
        >
          {words.newsletterText}
          <Pencil at="newsletterText" />
        </NewsletterSection>
      </Page>
    </>
  );
}

function Story({
  words,
  portrait,
}: Pick<Route.ComponentProps["loaderData"], "words" | "portrait">) {
  const site = useSite();
  return (
    <article aria-labelledby="story" className="opening pb-section">
      <h1 id="story" className="text-5xl">
        <Phrases>{words.heading}</Phrases>
        <Pencil at="heading" />
      </h1>
      <p className="mt-7 max-w-[40rem] text-lg text-balance text-ink-soft">
        {words.lead}
        <Pencil at="lead" />
      </p>
      <div className="columns mt-section">
        <Portrait
          picture={portrait}
          alt={`Portrait of ${site.coachName}`}
          drawing="/pictures/ten-past-four.svg"
          className="column-start max-md:order-1 max-md:max-w-[20rem]"
        />
        <Prose html={words.text} className="column-end" />
        <Pencil at="text" />
      </div>
      {words.sections.map(({ title, text }, at) => {
        const id = headingId(title);
        return (
          <section
            key={id}
            aria-labelledby={id}
            className="columns mt-section items-baseline gap-y-5"
          >
            <h2 id={id} className="text-2xl column-start">
              {title}
              <Pencil at="sections" item={at} />
            </h2>
            <Prose html={text} endMark={at === words.sections.length - 1} className="column-end" />
          </section>
        );
      })}
    </article>
  );
}

function BlueDot({ words }: Words) {
  return (
    <Section labelledBy="blue-dot" className="columns items-center">
      <div className="md:col-span-7 nav:col-span-6">
        <h2 id="blue-dot">
          {words.blueDotTitle}
          <Pencil at="blueDotTitle" />
        </h2>
        <Prose html={words.blueDotText} className="mt-6" />
        <Pencil at="blueDotText" />
      </div>
      <Illustration
        drawing={compass}
        className="max-md:-order-1 max-md:max-w-[20rem] md:col-[9/-1] nav:col-[8/-1]"
      />
    </Section>
  );
}

function Beliefs({ words }: Words) {
  return (
    <Section labelledBy="beliefs">
      <h2 id="beliefs">
        {words.beliefsTitle}
        <Pencil at="beliefsTitle" />
      </h2>
      <ul className="beliefs">
        {words.beliefs.map(({ title, text }, at) => (
          <li key={title} className="ruled">
            <h3>
              {title}
              <Pencil at="beliefs" item={at} />
            </h3>
            <Prose html={text} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function WaysOn({ words }: Words) {
  return (
    <div className="pb-section">
      <p className="font-serif text-2xl">
        <span className="inline-block text-balance">
          {words.toCourses}
          <Pencil at="toCourses" />
        </span>{" "}
        <span className="inline-block text-balance">
          {words.toCoaching}
          <Pencil at="toCoaching" />
        </span>
      </p>
      <p className="mt-8 grid gap-3 sm:flex">
        <ButtonLink href="/courses" variant="hero" size="lg">
          Explore Courses
        </ButtonLink>
        <ButtonLink href="/coaching" variant="outline" size="lg">
          Learn About Coaching
        </ButtonLink>
      </p>
    </div>
  );
}
