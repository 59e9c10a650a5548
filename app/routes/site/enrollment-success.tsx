import { PageHead } from "~/page-head.tsx";
import { ButtonLink } from "~/ui/button.tsx";
import { Horizon } from "~/ui/illustrations/horizon.tsx";
import { NextSteps } from "~/ui/next-steps.tsx";

export const handle = { shared: true };

const steps = [
  {
    title: "Check your email for access details",
    body: "If nothing has come yet, you don’t need to wait for it: log in, and your course is there.",
  },
  {
    title: "Log in",
    body: "Use the email address you enrolled with. Your course is under My Courses.",
  },
  {
    title: "Lifetime access, at your own pace",
    body: "Lessons open as the days go by, and none of them closes again.",
  },
  {
    title: "Join the community",
    body: "The weekly letter is for everyone, enrolled or not. The form is at the bottom of this page.",
  },
];

/** Spec 2, Enrollment confirmed. */
export default function EnrollmentSuccess() {
  return (
    <>
      <PageHead title="Welcome to Your Course!" noindex />
      <NextSteps
        title="Welcome to Your Course!"
        lead="You are enrolled. Nothing has to happen today."
        steps={steps}
      >
        <p className="mt-14 grid gap-3 sm:flex sm:flex-wrap">
          <ButtonLink href="/auth">Log In</ButtonLink>
          <ButtonLink href="/courses" variant="outline">
            Browse Courses
          </ButtonLink>
          <ButtonLink href="/" variant="outline">
            Go Home
          </ButtonLink>
        </p>
      </NextSteps>
      <Horizon />
    </>
  );
}
