import { useLocation } from "react-router";
import { ButtonLink } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Page, Section } from "~/ui/page.tsx";
import { pageTitle } from "~content/site.ts";
import { messages } from "../texts.ts";

/** Any failure to load the player (spec 8). */
export function LoadFailed() {
  const { pathname, search } = useLocation();
  return (
    <main id="main" tabIndex={-1}>
      <Page width="text">
        <Section>
          <title>{pageTitle(messages.loadFailed.title)}</title>
          <meta name="robots" content="noindex" />
          <h1 className="mb-8 text-3xl">{messages.loadFailed.title}</h1>
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
