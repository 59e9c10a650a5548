import type { ReactNode } from "react";
import { NewsletterSection } from "~/features/newsletter/components/newsletter-form.tsx";
import { Pencil, useWords } from "~/features/pages/components/pencil.tsx";
import { pageWords } from "~/features/pages/page-words.server.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { ButtonLink } from "~/ui/button.tsx";
import horizon from "~/ui/illustrations/horizon.svg?raw";
import { Illustration } from "~/ui/illustrations/illustration.tsx";
import { Picture } from "~/ui/illustrations/picture.tsx";
import { Portrait } from "~/ui/illustrations/portrait.tsx";
import { Page, Section } from "~/ui/page.tsx";
import { Prose } from "~/ui/prose.tsx";
import { Phrases, Quote } from "~/ui/public-parts.tsx";
import type { PageContent } from "~content/fields.ts";
import { coach, organization, website } from "~content/structured-data.ts";
import { useSite } from "~content/use-site.ts";
import { PageData, PageHead } from "../page-head.tsx";
import type { Route } from "./+types/home.ts";
import { findPortraitOrNone } from "./course-page.server.ts";

export const handle = { shared: true } satisfies RouteHandle;

type Words = { words: PageContent<"home"> };

export async function loader({ context, url }: Route.LoaderArgs) {
  const page = await pageWords({ context, url }, "home");
  return { ...page, portrait: await findPortraitOrNone(context) };
}

/** Spec 2, Home: its sections in its order, with its headings and buttons to the letter. */
export default function Home({ loaderData }: Route.ComponentProps) {
  const { portrait } = loaderData;
  const words = useWords(loaderData.words);
  return (
    <>
      <PageHead title={words.title} description={words.description} share={loaderData.share} />
      <PageData
        of={(origin, site) => [
          website(origin, site),
          organization(origin, site),
          coach(origin, site),
        ]}
      />
      <Hero words={words} />
      <Page>
        <NewsletterSection
          id="newsletter"
          source="home"
          title={
            <>
              {words.communityTitle}
              <Pencil at="communityTitle" />
            </>
          }
        >
          {words.communityText}
          <Pencil at="communityText" />
        </NewsletterSection>
      </Page>
      <div className="band">
        <Page>
          <WhoIAm words={words} portrait={portrait} />
        </Page>
      </div>
      <Page>
        <Offer words={words} />
        <Featured words={words} />
        <Testimonials words={words} />
      </Page>
    </>
  );
}

function Hero({ words }: Words) {
  return (
    <div className="opening">
      <Page>
        <h1 className="text-5xl">
          <Phrases>{words.heading}</Phrases>
          <Pencil at="heading" />
        </h1>
        <p className="mt-7 max-w-[40rem] text-lg text-balance text-ink-soft">
          {words.lead}
          <Pencil at="lead" />
        </p>
        <p className="mt-9 grid gap-3 sm:flex">
          <ButtonLink href="/courses" variant="hero" size="lg">
            Explore Courses
          </ButtonLink>
          <ButtonLink href="/coaching" variant="outline" size="lg">
            Learn About Coaching
          </ButtonLink>
        </p>
      </Page>
      <Illustration drawing={horizon} band="horizon" className="mt-12" />
    </div>
  );
}

function WhoIAm({
  words,
  portrait,
}: Pick<Route.ComponentProps["loaderData"], "words" | "portrait">) {
  const site = useSite();
  return (
    <Section labelledBy="who-i-am" className="columns">
      <Portrait
        picture={portrait}
        alt={`Portrait of ${site.coachName}`}
        drawing="/pictures/window-seat.svg"
        className="column-start max-md:max-w-[20rem]"
      />
      <div className="column-end">
        <h2 id="who-i-am">
          {words.bioTitle}
          <Pencil at="bioTitle" />
        </h2>
        <Prose html={words.text} className="mt-6" />
        <Pencil at="text" />
        <p className="mt-8">
          <ButtonLink href="/about" variant="link">
            {words.bioLink}
          </ButtonLink>
          <Pencil at="bioLink" />
        </p>
      </div>
    </Section>
  );
}

/** In the order of the cards (spec 2, Home). */
const offerLinks = ["/courses", "/coaching", "/#newsletter"];

function Offer({ words }: Words) {
  return (
    <Section labelledBy="what-i-offer">
      <Opening
        id="what-i-offer"
        title={
          <>
            {words.offerTitle}
            <Pencil at="offerTitle" />
          </>
        }
      >
        {words.offerText}
        <Pencil at="offerText" />
      </Opening>
      <ul className="offers">
        {words.offers.map(({ title, text, link }, at) => (
          <li key={offerLinks[at]} className="ruled offer">
            <h3>
              {title}
              <Pencil at="offers" item={at} />
            </h3>
            <p className="mb-6 text-balance text-ink-soft">{text}</p>
            <p className="mt-auto">
              <a href={offerLinks[at]} className="card-link">
                {link}
              </a>
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Featured({ words }: Words) {
  if (words.featured.length === 0) return null;
  return (
    <Section labelledBy="featured" className="pt-6">
      <Opening
        id="featured"
        title={
          <>
            {words.featuredTitle}
            <Pencil at="featuredTitle" />
          </>
        }
      >
        {words.featuredText}
        <Pencil at="featuredText" />
      </Opening>
      <ul className="films">
        {words.featured.map((film, at) => (
          <li key={film.address}>
            <MediaLink {...film} away="opens on another site" />
            <Pencil at="featured" item={at} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Testimonials({ words }: Words) {
  if (words.testimonials.length === 0) return null;
  return (
    <Section labelledBy="testimonials" className="pt-6">
      <h2 id="testimonials" className="font-sans text-sm/[1.14] font-medium text-ink-soft">
        {words.testimonialsTitle}
        <Pencil at="testimonialsTitle" />
      </h2>
      {words.testimonials.map(({ quote, who }, at) => (
        <Quote
          key={who}
          who={who}
          after={<Pencil at="testimonials" item={at} />}
          className={at === 0 ? "mt-8" : "ms-auto"}
        >
          {quote}
        </Quote>
      ))}
    </Section>
  );
}

function Opening({ id, title, children }: { id: string; title: ReactNode; children: ReactNode }) {
  return (
    <div className="columns items-baseline gap-y-4">
      <h2 id={id} className="column-start">
        {title}
      </h2>
      <p className="max-w-[30rem] text-balance text-ink-soft column-end">{children}</p>
    </div>
  );
}

type MediaLinkProps = {
  address: string;
  title: string;
  length: string;
  /** Where it leads, for those who do not see the arrow: 'opens on another site'. */
  away: string;
  picture: string;
  alt: string;
};

/** A film that is elsewhere: its picture, its title and its length, all of it one link. */
function MediaLink({ address, title, length, away, picture, alt }: MediaLinkProps) {
  return (
    <article className="media-link">
      <Picture src={picture} alt={alt} className="media-link-picture" />
      <div>
        <p className="mb-2 flex items-center gap-2 text-sm/[1.6] text-ink-soft" aria-hidden="true">
          <svg viewBox="0 0 12 12" className="size-[0.7em] fill-current" aria-hidden="true">
            <path d="M2.6 1.2q.2-.5.8-.3l7 4.4q.7.6 0 1.2l-6.9 4.6q-.7.3-.8-.4z" />
          </svg>
          {length}
        </p>
        <h3>
          <a href={address} rel="noopener" className="media-link-target">
            {title}
            <span className="sr-only">{` (film, ${length}, ${away})`}</span>
          </a>
        </h3>
      </div>
    </article>
  );
}
