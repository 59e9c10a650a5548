import { ButtonLink } from "~/ui/button.tsx";
import { Page, Section } from "~/ui/page.tsx";

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
      <title>{`${title} | Blue Dot`}</title>
      <meta name="robots" content="noindex" />
      <Section labelledBy="error-title" space="large">
        <p className="font-display text-display text-dot">{status}</p>
        <h1 id="error-title">{title}</h1>
        <p className="lead mt-4">{text}</p>
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
