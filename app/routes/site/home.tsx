import { ButtonLink } from "~/ui/button.tsx";
import { Horizon } from "~/ui/illustrations/horizon.tsx";
import { Page, Section } from "~/ui/page.tsx";
import { pageTitle, site } from "~content/site.ts";

export default function Home() {
  return (
    <>
      <title>{pageTitle(site.title)}</title>
      <meta name="description" content={site.description} />
      <Page>
        <Section labelledBy="home-title" space="large">
          <h1 id="home-title" className="max-w-[16ch] text-5xl">
            When everything else has gone, one point to steer by
          </h1>
          <p className="mt-8 max-w-[36rem] text-lg text-ink-soft">
            I am {site.coach.name}. My brother died eleven years ago. I write courses for the time
            after: short lessons, small practices, a private journal. Nobody here will tell you how
            long it should take.
          </p>
          <p className="mt-10 flex flex-wrap gap-3">
            <ButtonLink href="/courses" variant="hero" size="lg">
              Explore Courses
            </ButtonLink>
          </p>
        </Section>
      </Page>
      <Horizon />
    </>
  );
}
