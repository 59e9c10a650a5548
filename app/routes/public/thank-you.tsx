import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { ButtonLink } from "~/ui/button.tsx";
import { Illustration } from "~/ui/illustrations/illustration.tsx";
import water from "~/ui/illustrations/water.svg?raw";
import { NextSteps } from "~/ui/numbered-list.tsx";
import { PageHead } from "../page-head.tsx";

export const handle = { shared: true } satisfies RouteHandle;

const steps = [
  {
    title: "Check your email",
    body: "A short message from me should be there within a few minutes. If it isn’t, look in the spam folder.",
  },
  {
    title: "Click the confirmation link",
    body: "It shows that the address is yours. If it opens a page with a button, press that too. Until then you won’t get any letters.",
  },
  {
    title: "Get weekly reflections",
    body: "One letter a week. Each has a link at the bottom for leaving.",
  },
];

/** Spec 2, Newsletter thank-you. */
export default function ThankYou() {
  return (
    <>
      <PageHead title="You're All Set" noindex />
      <NextSteps
        title="You're All Set"
        lead="One more step, and the letters will come."
        steps={steps}
      >
        <h2 className="mt-14 text-xl">In the meantime</h2>
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
