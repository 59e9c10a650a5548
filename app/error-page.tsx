import { ButtonLink } from "~/ui/button.tsx";
import { Page, Section } from "~/ui/page.tsx";
import { pageTitle } from "~content/site.ts";

const texts: Record<number, { title: string; text: string }> = {
  404: {
    title: "Page Not Found",
    text: "The page you're looking for doesn't exist or has been moved.",
  },
  400: {
    title: "That could not be read",
    text: "What arrived here was not what this page sends. Please go back, reload and try again.",
  },
  403: { title: "Not for you to see", text: "This page belongs to somebody else." },
  413: {
    title: "That is too much at once",
    text: "Nothing was deleted: your browser's back button brings back what you wrote.",
  },
};

const otherwise = {
  title: "Something went wrong",
  text: "The fault is ours, not yours. What you wrote before is safe. Please try again in a minute.",
};

/** What is shown when there is nothing else to show (spec 2, 404 page; and its siblings). */
export function ErrorPage({ status }: { status: number }) {
  const { title, text } = texts[status] ?? otherwise;
  return (
    <Page width="text">
      <title>{pageTitle(title)}</title>
      <meta name="robots" content="noindex" />
      <Section labelledBy="error-title" space="large">
        <p className="font-serif text-xl text-dot">{status}</p>
        <h1 id="error-title" className="mt-2 text-4xl">
          {title}
        </h1>
        <p className="mt-4 text-lg text-ink-soft">{text}</p>
        <p className="mt-8 flex flex-wrap gap-3">
          <ButtonLink href="/">Go Home</ButtonLink>
          <ButtonLink href="/courses" variant="outline">
            View Courses
          </ButtonLink>
        </p>
      </Section>
    </Page>
  );
}
