import { data, Form, redirect } from "react-router";
import { authPath } from "~/features/accounts/rules.ts";
import { findCourse } from "~/features/courses/queries.server.ts";
import { formatPrice } from "~/features/courses/rules.ts";
import { findEnrollment } from "~/features/enrollments/queries.server.ts";
import { messages } from "~/features/enrollments/texts.ts";
import { servicesOf, viewerOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { Button } from "~/ui/button.tsx";
import { Page, Section } from "~/ui/page.tsx";
import { pageTitle } from "~content/site.ts";
import type { Route } from "./+types/course.ts";

type Args = Pick<Route.LoaderArgs, "context" | "params">;

/** The course, and whether whoever asks is enrolled. Inactive courses are for administrators only. */
async function load({ context, params }: Args) {
  const services = servicesOf(context);
  const viewer = viewerOf(context);
  const course = await findCourse(services, params.slug);
  if (!course || !(course.active || viewer?.role === "admin")) throw data(null, 404);
  const productId = course.id;
  const seat = viewer && (await findEnrollment(services, { userId: viewer.id, productId }));
  return { course, viewer, isEnrolled: seat !== null };
}

export async function loader({ context, params }: Route.LoaderArgs) {
  const { course, isEnrolled } = await load({ context, params });
  return { course, isEnrolled };
}

/** The button (spec 2, /courses/{slug}): sign in first, or go on learning, or the notice. */
export async function action({ context, params }: Route.ActionArgs) {
  const { course, viewer, isEnrolled } = await load({ context, params });
  const here = `/courses/${course.slug}`;
  if (!viewer) return redirectWithToast(authPath(here), messages.signInFirst);
  if (isEnrolled) return redirect(`${here}/learn`, 303);
  return redirectWithToast(here, messages.comingSoon);
}

export default function CoursePage({ loaderData }: Route.ComponentProps) {
  const { course, isEnrolled } = loaderData;
  return (
    <Page width="text">
      <title>{pageTitle(course.title)}</title>
      {course.description && <meta name="description" content={course.description} />}
      <Section labelledBy="course-title" space="large">
        <h1 id="course-title" className="text-4xl">
          {course.title}
        </h1>
        {course.description && <p className="mt-6 text-lg text-ink-soft">{course.description}</p>}
        <Form method="post" reloadDocument className="mt-10 flex flex-wrap items-center gap-5">
          <Button type="submit" size="lg" variant="hero">
            {isEnrolled ? "Continue Learning" : "Enroll Now"}
          </Button>
          <span className="text-ink-soft">
            {isEnrolled
              ? "Already Enrolled"
              : `${formatPrice(course.priceCents)} · One-time payment, lifetime access`}
          </span>
        </Form>
      </Section>
    </Page>
  );
}
