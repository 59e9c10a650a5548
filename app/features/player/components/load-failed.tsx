import { useLocation } from "react-router";
import { ButtonLink } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Page, Section } from "~/ui/page.tsx";
import { pageTitle } from "~content/site.ts";
import { playerMessages } from "../messages.ts";

/** Shown when the player fails to load (spec 8). */
export function PlayerLoadFailed() {
  const { pathname, search } = useLocation();
  return (
    <main id="main" tabIndex={-1}>
      <Page width="text">
        <Section>
          <title>{pageTitle(playerMessages.loadFailed.title)}</title>
          <meta name="robots" content="noindex" />
          <h1 className="mb-8 text-3xl">{playerMessages.loadFailed.title}</h1>
          <Notice tone="destructive" live>
            <p>
              The site could not be reached, or something broke here. Nothing that you wrote is
              lost.
            </p>
            <p className="mt-4 flex flex-wrap gap-3">
              <ButtonLink href={pathname + search} size="sm">
                Try again
              </ButtonLink>
              <ButtonLink href="/my-courses" size="sm" variant="outline">
                My Courses
              </ButtonLink>
            </p>
          </Notice>
        </Section>
      </Page>
    </main>
  );
}
