import { useEffect, useState } from "react";
import { isRouteErrorResponse, useRouteError } from "react-router";
import { ButtonLink } from "~/ui/button.tsx";
import emptyPath from "~/ui/illustrations/empty-path.svg?raw";
import { Illustration } from "~/ui/illustrations/illustration.tsx";
import { Page, Section } from "~/ui/page.tsx";
import type { PageContent } from "~content/fields.ts";
import { helpNow } from "~content/site.ts";
import { PageHead } from "./page-head.tsx";

type Words = { title: string; text: string };

/** What the coach has written for addresses where nothing is (`notFound`). */
function wordsOf(data: unknown): Words | null {
  const { heading, lead } = (data ?? {}) as Partial<PageContent<"not-found">>;
  return heading && lead ? { title: heading, text: lead } : null;
}

const texts: Record<number, Words> = {
  404: {
    title: "Page Not Found",
    text: "The page you're looking for doesn't exist or has been moved.",
  },
  400: {
    title: "That could not be read",
    text: "What arrived here was not what this page sends. Please go back, reload and try again.",
  },
  403: {
    title: "This page is closed to you",
    text: "It belongs to another account. If it should be yours, sign in with that one.",
  },
  405: {
    title: "Nothing to send here",
    text: "This page only shows something; it takes no form. Nothing was changed.",
  },
  413: {
    title: "That is too much at once",
    text: "Nothing was deleted: your browser’s back button brings back what you wrote.",
  },
  429: {
    title: "Please wait a little",
    text: "You have asked for this many times within the hour. Please try again in an hour.",
  },
  503: {
    title: "Please try again in a minute",
    text: "Several pages of yours are being made already. Nothing is lost.",
  },
};

const otherwise = {
  title: "Something went wrong",
  text: "It is not your doing. What you wrote before is safe. Please try again in a minute.",
};

// Spec 2, 404 page, and the pages of other errors.
function ErrorPage({ status, words }: { status: number; words: Words | null }) {
  const { title, text } = words ?? texts[status] ?? otherwise;
  return (
    <Page>
      <PageHead title={title} description={text} noindex />
      <Section
        labelledBy="error-title"
        className="grid items-center gap-x-16 gap-y-10 nav:grid-cols-[minmax(0,1fr)_minmax(0,26rem)] nav:py-section-lg"
      >
        <div className="max-w-[36rem]">
          {texts[status] && <p className="mb-3 font-serif text-2xl text-ink-soft">{status}</p>}
          <h1 id="error-title">{title}</h1>
          <p className="mt-5 text-lg text-ink-soft">{text}</p>
          <p className="mt-9 grid gap-3 sm:flex sm:flex-wrap">
            <ButtonLink href="/">Go Home</ButtonLink>
            <ButtonLink href="/courses" variant="outline">
              View Courses
            </ButtonLink>
            {status === 404 && (
              <ButtonLink href="/coaching" variant="outline">
                Learn About Coaching
              </ButtonLink>
            )}
          </p>
          <p className="mt-6">
            <ButtonLink href={helpNow.href} variant="link">
              {helpNow.label}
            </ButtonLink>
          </p>
        </div>
        <ErrorPicture />
      </Section>
    </Page>
  );
}

// Comes with the page that shows it: the scripts of every page contain this file.
function ErrorPicture() {
  const [drawing, setDrawing] = useState(import.meta.env.SSR ? emptyPath : "");
  useEffect(() => {
    import("~/ui/illustrations/empty-path.svg?raw").then(
      (file) => setDrawing(file.default),
      () => {},
    );
  }, []);
  return (
    <Illustration
      drawing={drawing}
      className="order-first max-w-56 nav:order-none nav:max-w-none"
    />
  );
}

/** For `export { ErrorBoundary } from` in a route's module. */
export function ErrorBoundary() {
  const error = useRouteError();
  if (!isRouteErrorResponse(error)) return <ErrorPage status={500} words={null} />;
  return (
    <ErrorPage status={error.status} words={error.status === 404 ? wordsOf(error.data) : null} />
  );
}
