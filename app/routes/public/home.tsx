import type { ReactNode } from "react";
import { NewsletterForm } from "~/features/newsletter/components/newsletter-form.tsx";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { ButtonLink } from "~/ui/button.tsx";
import { Horizon } from "~/ui/illustrations/horizon.tsx";
import { Portrait } from "~/ui/illustrations/portrait.tsx";
import { MediaLink } from "~/ui/media-link.tsx";
import { Page, Section } from "~/ui/page.tsx";
import { Phrases } from "~/ui/phrases.tsx";
import { Prose } from "~/ui/prose.tsx";
import { Quote } from "~/ui/quote.tsx";
import text from "~content/pages/home.md";
import { site } from "~content/site.ts";
import { coach, organization, website } from "~content/structured-data.ts";
import { PageData, PageHead } from "../page-head.tsx";

export const handle = { shared: true } satisfies RouteHandle;

/** Spec 2, Home: its sections in its order, with its headings and buttons to the letter. */
export default function Home() {
  return (
    <>
      <PageHead title={text.title} description={text.description} image="home" />
      <PageData of={(origin) => [website(origin), organization(origin), coach(origin)]} />
      <Hero />
      <Page>
        <Community />
      </Page>
      <div className="band">
        <Page>
          <WhoIAm />
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
      <Horizon className="mt-12" />
    </div>
  );
}

function Community() {
  return (
    <Section id="newsletter" anchor labelledBy="community" className="columns">
      <div className="column-start">
        <h2 id="community">Join Our Community</h2>
        <p className="mt-5 max-w-[26rem] text-balance text-ink-soft">
          One letter a week: a small practice, or something true about grief that nobody put on a
          card. You can leave whenever you like.
        </p>
      </div>
      <NewsletterForm id="home" className="column-end" />
    </Section>
  );
}

function WhoIAm() {
  return (
    <Section labelledBy="who-i-am" className="columns">
      <Portrait
        photo={site.coach.photo}
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
            <p className="offer-way">
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
      <h2 id="testimonials" className="eyebrow font-sans">
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
