import { Pencil, useWords } from "~/features/pages/components/pencil.tsx";
import { pageWords } from "~/features/pages/page-words.server.ts";
import { returnFromCheckout } from "~/features/payments/checkout.server.ts";
import {
  checkoutEndToasts,
  goToCourse,
  pendingTitle,
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

/** The same page for everybody; a student who returns from their own checkout sees its result. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const services = servicesOf(context);
  const page = await pageWords({ context, url }, "enrollment-success");
  const viewer = currentUser(context);
  const sessionId = url.searchParams.get("session_id");
  if (!viewer || !sessionId) return { ...page, purchase: null };
  const purchase = await returnFromCheckout(services, { userId: viewer.id, sessionId });
  if (!purchase) return { ...page, purchase: null };
  const { state, ...course } = purchase;
  if (state !== "enrolled" && state !== "waiting" && state !== "attention")
    throw redirectWithToast(`/courses/${course.slug}`, checkoutEndToasts[state]);
  return { ...page, purchase: { state, ...course } };
}

/** Spec 2, Enrollment confirmed. */
export default function EnrollmentSuccess({ loaderData }: Route.ComponentProps) {
  const { purchase } = loaderData;
  const words = useWords(loaderData.words);
  const isOpen = purchase?.state === "enrolled";
  // While it is pending, the page does not mention what is not there yet.
  const isPending = purchase !== null && !isOpen;
  // A student is not welcomed to a course that the payment has not opened yet.
  const title = isPending ? pendingTitle : words.heading;
  return (
    <>
      <PageHead title={title} noindex />
      <NextSteps
        title={title}
        lead={purchase ? successMessages[purchase.state](purchase.title) : words.lead}
        pencil={(at, item) => <Pencil at={at} item={item} />}
        steps={isPending ? words.steps.slice(2) : words.steps}
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
