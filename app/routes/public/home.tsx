import type { ReactNode } from "react";
import { NewsletterSection } from "~/features/newsletter/components/newsletter-form.tsx";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { ButtonLink } from "~/ui/button.tsx";
import horizon from "~/ui/illustrations/horizon.svg?raw";
import { Illustration } from "~/ui/illustrations/illustration.tsx";
import { Picture } from "~/ui/illustrations/picture.tsx";
import { Portrait } from "~/ui/illustrations/portrait.tsx";
import { Page, Section } from "~/ui/page.tsx";
import { Prose } from "~/ui/prose.tsx";
import { Phrases, Quote } from "~/ui/public-parts.tsx";
import text from "~content/pages/home.md";
import { site } from "~content/site.ts";
import { coach, organization, website } from "~content/structured-data.ts";
import { PageData, PageHead } from "../page-head.tsx";
import type { Route } from "./+types/home.ts";
import { portraitLoader } from "./course-page.server.ts";

export const handle = { shared: true } satisfies RouteHandle;

export const loader = portraitLoader;

/** Spec 2, Home: its sections in its order, with its headings and buttons to the letter. */
export default function Home({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHead title={text.title} description={text.description} image="home" />
      <PageData of={(origin) => [website(origin), organization(origin), coach(origin)]} />
      <Hero />
      <Page>
        <NewsletterSection id="newsletter" title="Join Our Community">
          One letter a week: a small practice, or something true about grief that nobody put on a
          card. You can leave whenever you like.
        </NewsletterSection>
      </Page>
      <div className="band">
        <Page>
          <WhoIAm portrait={loaderData.portrait} />
        </Page>
      </div>
      <Page>
        <Offer />
        <Featured />
        <Testimonials />
      </Page>
    </>
  );
}

function Hero() {
  return (
    <div className="opening">
      <Page>
        <h1 className="text-5xl">
          <Phrases>{text.heading}</Phrases>
        </h1>
        <p className="mt-7 max-w-[40rem] text-lg text-balance text-ink-soft">{text.lead}</p>
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

function WhoIAm({ portrait }: Route.ComponentProps["loaderData"]) {
  return (
    <Section labelledBy="who-i-am" className="columns">
      <Portrait
        photo={site.coach.photo}
        picture={portrait}
        alt={`Portrait of ${site.coach.name}`}
        drawing="/pictures/window-seat.svg"
        className="column-start max-md:max-w-[20rem]"
      />
      <div className="column-end">
        <h2 id="who-i-am">Who I Am</h2>
        <Prose html={text.html} className="mt-6" />
        <p className="mt-8">
          <ButtonLink href="/about" variant="link">
            More about me
          </ButtonLink>
        </p>
      </div>
    </Section>
  );
}

const offers = [
  {
    title: "Courses",
    href: "/courses",
    link: "See the courses",
    words:
      "Short lessons, practices of 10 minutes or less, and a private journal. You can stop for a month, and your place is kept.",
  },
  {
    title: "Coaching",
    href: "/coaching",
    link: "How coaching works",
    words:
      "An hour at a time with me, by video or phone. We talk about the one who died, and about the week you are in.",
  },
  {
    title: "Newsletter",
    href: "/#newsletter",
    link: "Get the letter",
    words: "One letter a week, free, and short enough to read in bed.",
  },
];

function Offer() {
  return (
    <Section labelledBy="what-i-offer">
      <Opening id="what-i-offer" title="What I Offer">
        Take whichever of these you have room for. None of them minds waiting.
      </Opening>
      <ul className="offers">
        {offers.map(({ title, href, link, words }) => (
          <li key={href} className="ruled offer">
            <h3>{title}</h3>
            <p className="mb-6 text-balance text-ink-soft">{words}</p>
            <p className="mt-auto">
              <a href={href} className="card-link">
                {link}
              </a>
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Featured() {
  return (
    <Section labelledBy="featured" className="pt-6">
      <Opening id="featured" title="Featured Content">
        Three short films, for when reading is too much. They open on another site.
      </Opening>
      <ul className="films">
        {site.featured.map((film) => (
          <li key={film.href}>
            <MediaLink {...film} away="opens on another site" />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Testimonials() {
  return (
    <Section labelledBy="testimonials" className="pt-6">
      <h2 id="testimonials" className="font-sans text-sm/[1.14] font-medium text-ink-soft">
        From two people I have worked with
      </h2>
      {site.testimonials.map(({ quote, who }, at) => (
        <Quote key={who} who={who} className={at === 0 ? "mt-8" : "ms-auto"}>
          {quote}
        </Quote>
      ))}
    </Section>
  );
}

function Opening({ id, title, children }: { id: string; title: string; children: ReactNode }) {
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
  href: string;
  title: string;
  length: string;
  /** Where it leads, for those who do not see the arrow: 'opens on another site'. */
  away: string;
  thumbnail: string;
  alt: string;
};

/** A film that is elsewhere: its picture, its title and its length, all of it one link. */
function MediaLink({ href, title, length, away, thumbnail, alt }: MediaLinkProps) {
  return (
    <article className="media-link">
      <Picture src={thumbnail} alt={alt} className="media-link-picture" />
      <div>
        <p className="mb-2 flex items-center gap-2 text-sm/[1.6] text-ink-soft" aria-hidden="true">
          <svg viewBox="0 0 12 12" className="size-[0.7em] fill-current" aria-hidden="true">
            <path d="M2.6 1.2q.2-.5.8-.3l7 4.4q.7.6 0 1.2l-6.9 4.6q-.7.3-.8-.4z" />
          </svg>
          {length}
        </p>
        <h3>
          <a href={href} rel="noopener" className="media-link-target">
            {title}
            <span className="sr-only">{` (film, ${length}, ${away})`}</span>
          </a>
        </h3>
      </div>
    </article>
  );
}
