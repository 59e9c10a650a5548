import { Pencil, useWords } from "~/features/pages/components/pencil.tsx";
import { pageWords } from "~/features/pages/page-words.server.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { ButtonLink } from "~/ui/button.tsx";
import { Illustration } from "~/ui/illustrations/illustration.tsx";
import water from "~/ui/illustrations/water.svg?raw";
import { NextSteps } from "~/ui/numbered-list.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/thank-you.ts";

export const handle = { shared: true } satisfies RouteHandle;

export function loader({ context, url }: Route.LoaderArgs) {
  return pageWords({ context, url }, "thank-you");
}

/** Spec 2, Newsletter thank-you. */
export default function ThankYou({ loaderData }: Route.ComponentProps) {
  const words = useWords(loaderData.words);
  return (
    <>
      <PageHead title={words.heading} noindex />
      <NextSteps
        title={words.heading}
        lead={words.lead}
        steps={words.steps}
        pencil={(at, item) => <Pencil at={at} item={item} />}
      >
        <h2 className="mt-14 text-xl">
          {words.meanwhile}
          <Pencil at="meanwhile" />
        </h2>
        <p className="mt-5 grid gap-3 sm:flex sm:flex-wrap">
          <ButtonLink href="/courses">Explore Courses</ButtonLink>
          <ButtonLink href="/coaching" variant="outline">
            Learn About Coaching
          </ButtonLink>
          <ButtonLink href="/" variant="outline">
            Go Home
          </ButtonLink>
        </p>
      </NextSteps>
      <Illustration drawing={water} band="water" />
    </>
  );
}
