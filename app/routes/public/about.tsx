import { NewsletterSection } from "~/features/newsletter/components/newsletter-form.tsx";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { ButtonLink } from "~/ui/button.tsx";
import compass from "~/ui/illustrations/compass.svg?raw";
import { Illustration } from "~/ui/illustrations/illustration.tsx";
import { Portrait } from "~/ui/illustrations/portrait.tsx";
import { Page, Section } from "~/ui/page.tsx";
import { Prose } from "~/ui/prose.tsx";
import { Phrases } from "~/ui/public-parts.tsx";
import story from "~content/pages/about.md";
import blueDot from "~content/pages/about-blue-dot.md";
import beliefs from "~content/pages/beliefs.md";
import { site } from "~content/site.ts";
import { aboutPage, breadcrumbs } from "~content/structured-data.ts";
import { PageData, PageHead } from "../page-head.tsx";
import type { Route } from "./+types/about.ts";
import { portraitLoader } from "./course-page.server.ts";

export const handle = { shared: true } satisfies RouteHandle;

export const loader = portraitLoader;

/** Spec 2, /about: the founder's story, the Blue Dot, four beliefs, next steps, the newsletter. */
export default function About({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHead title={story.title} description={story.description} image="about" />
      <PageData
        of={(origin) => [aboutPage(origin, story), breadcrumbs(origin, ["About", "/about"])]}
      />
      <Page>
        <Story portrait={loaderData.portrait} />
      </Page>
      <div className="band">
        <Page>
          <BlueDot />
        </Page>
      </div>
      <Page>
        <Beliefs />
        <WaysOn />
        <NewsletterSection
          id="newsletter"
          title="A letter once a week"
          className="border-t border-line"
        >
          If you would like to hear from me, leave your first name and an email address. I write
          once a week.
        </NewsletterSection>
      </Page>
    </>
  );
}

function Story({ portrait }: Route.ComponentProps["loaderData"]) {
  return (
    <article aria-labelledby="story" className="opening pb-section">
      <h1 id="story" className="text-5xl">
        <Phrases>{story.heading}</Phrases>
      </h1>
      <p className="mt-7 max-w-[40rem] text-lg text-balance text-ink-soft">{story.lead}</p>
      <div className="columns mt-section">
        <Portrait
          photo={site.coach.photo}
          picture={portrait}
          alt={`Portrait of ${site.coach.name}`}
          drawing="/pictures/ten-past-four.svg"
          className="column-start max-md:order-1 max-md:max-w-[20rem]"
        />
        <Prose html={story.html} className="column-end" />
      </div>
      {story.sections.map(({ id, title, html }, at) => (
        <section
          key={id}
          aria-labelledby={id}
          className="columns mt-section items-baseline gap-y-5"
        >
          <h2 id={id} className="text-2xl column-start">
            {title}
          </h2>
          <Prose html={html} endMark={at === story.sections.length - 1} className="column-end" />
        </section>
      ))}
    </article>
  );
}

function BlueDot() {
  return (
    <Section labelledBy="blue-dot" className="columns items-center">
      <div className="md:col-span-7 nav:col-span-6">
        <h2 id="blue-dot">{blueDot.heading}</h2>
        <Prose html={blueDot.html} className="mt-6" />
      </div>
      <Illustration
        drawing={compass}
        className="max-md:-order-1 max-md:max-w-[20rem] md:col-[9/-1] nav:col-[8/-1]"
      />
    </Section>
  );
}

function Beliefs() {
  return (
    <Section labelledBy="beliefs">
      <h2 id="beliefs">{beliefs.heading}</h2>
      <ul className="beliefs">
        {beliefs.sections.map(({ id, title, html }) => (
          <li key={id} className="ruled">
            <h3>{title}</h3>
            <Prose html={html} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function WaysOn() {
  return (
    <div className="pb-section">
      <p className="font-serif text-2xl">
        <span className="inline-block text-balance">
          If you would rather be by yourself with it, there are courses.
        </span>{" "}
        <span className="inline-block text-balance">
          If you would rather talk, there is coaching.
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
