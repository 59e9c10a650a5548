import { returnFromCheckout } from "~/features/payments/checkout.server.ts";
import {
  checkoutEndToasts,
  goToCourse,
  successMessageForAll,
  successMessages,
} from "~/features/payments/messages.ts";
import { currentUser, servicesOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { ButtonLink } from "~/ui/button.tsx";
import horizon from "~/ui/illustrations/horizon.svg?raw";
import { Illustration } from "~/ui/illustrations/illustration.tsx";
import { NextSteps } from "~/ui/numbered-list.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/enrollment-success.ts";

export const handle = { shared: true } satisfies RouteHandle;

// A student is not welcomed to a course that the payment has not opened yet.
const titles = { open: "Welcome to Your Course!", pending: "Your course is not open yet" };

const steps = [
  {
    title: "Check your email for access details",
    body: "You get an email as soon as your course is open. You don’t need to wait for it: log in and look.",
  },
  {
    title: "Log in",
    body: "Use the email address you enrolled with. Your course is under My Courses.",
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

/** The same page for everybody; a student who returns from their own checkout sees its result. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const viewer = currentUser(context);
  const sessionId = url.searchParams.get("session_id");
  if (!viewer || !sessionId) return null;
  const purchase = await returnFromCheckout(servicesOf(context), { userId: viewer.id, sessionId });
  if (!purchase) return null;
  const { state, ...course } = purchase;
  if (state !== "enrolled" && state !== "waiting" && state !== "attention")
    throw redirectWithToast(`/courses/${course.slug}`, checkoutEndToasts[state]);
  return { state, ...course };
}

/** Spec 2, Enrollment confirmed. */
export default function EnrollmentSuccess({ loaderData: purchase }: Route.ComponentProps) {
  const isOpen = purchase?.state === "enrolled";
  // While it is pending, the page does not mention what is not there yet.
  const isPending = purchase !== null && !isOpen;
  const title = isPending ? titles.pending : titles.open;
  return (
    <>
      <PageHead title={title} noindex />
      <NextSteps
        title={title}
        lead={purchase ? successMessages[purchase.state](purchase.title) : successMessageForAll}
        steps={isPending ? steps.slice(2) : steps}
      >
        <p className="mt-14 grid gap-3 sm:flex sm:flex-wrap">
          {purchase && (
            <ButtonLink href={`/courses/${purchase.slug}${isOpen ? "/learn" : ""}`}>
              {isOpen ? goToCourse.enrolled : goToCourse.other}
            </ButtonLink>
          )}
          {!purchase && <ButtonLink href="/auth">Log In</ButtonLink>}
          <ButtonLink href="/courses" variant="outline">
            Browse Courses
          </ButtonLink>
          <ButtonLink href="/" variant="outline">
            Go Home
          </ButtonLink>
        </p>
      </NextSteps>
      <Illustration drawing={horizon} band="horizon" />
    </>
  );
}
