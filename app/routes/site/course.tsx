import { data } from "react-router";
import { pressEnroll, refundNoteFor } from "~/enroll.server.ts";
import { courseData } from "~/features/courses/components/course-data.ts";
import { CourseOutline } from "~/features/courses/components/course-outline.tsx";
import { findCourse, listModules } from "~/features/courses/queries.server.ts";
import { EnrollOffer } from "~/features/enrollments/components/enroll-offer.tsx";
import { findEnrollment } from "~/features/enrollments/queries.server.ts";
import { labels } from "~/features/enrollments/texts.ts";
import { PageData } from "~/page-data.tsx";
import { PageHead } from "~/page-head.tsx";
import { servicesOf, viewerOf } from "~/platform/http/context.ts";
import { Breadcrumbs } from "~/ui/breadcrumbs.tsx";
import { Page, Section } from "~/ui/page.tsx";
import { Spread } from "~/ui/spread.tsx";
import { breadcrumbs } from "~content/structured-data.ts";
import type { Route } from "./+types/course.ts";

export const handle = { shared: true, checkout: true };

type Args = Pick<Route.LoaderArgs, "context" | "params">;

/** The course, and whether whoever asks is enrolled. Inactive courses are for administrators only. */
async function load({ context, params }: Args) {
  const services = servicesOf(context);
  const viewer = viewerOf(context);
  const course = await findCourse(services, params.slug);
  if (!course || !(course.active || viewer?.role === "admin")) throw data(null, 404);
  const productId = course.id;
  const seat = viewer && (await findEnrollment(services, { userId: viewer.id, productId }));
  return { course, isEnrolled: seat !== null };
}

export async function loader({ context, params }: Route.LoaderArgs) {
  const { course, isEnrolled } = await load({ context, params });
  const [modules, refundNote] = await Promise.all([
    listModules(servicesOf(context), course.id),
    refundNoteFor(context, { ...course, isEnrolled }),
  ]);
  return { course, isEnrolled, modules, refundNote };
}

/** The button (spec 2, /courses/{slug}). */
export async function action({ context, params }: Route.ActionArgs) {
  const { course, isEnrolled } = await load({ context, params });
  return pressEnroll(context, { ...course, isEnrolled });
}

export default function CoursePage({ loaderData }: Route.ComponentProps) {
  const { course, isEnrolled, modules, refundNote } = loaderData;
  const { slug, title, description, priceCents } = course;
  return (
    <Page>
      <PageHead title={title} description={description} image="courses" />
      <PageData
        of={(origin) => [
          courseData(origin, { ...course, forSale: course.active }),
          breadcrumbs(origin, ["Courses", "/courses"], [title, `/courses/${slug}`]),
        ]}
      />
      <Breadcrumbs items={[{ label: "Courses", href: "/courses" }, { label: title }]} />
      <Section labelledBy="course-title" space="none" className="opening pb-section">
        <h1
          id="course-title"
          className={`max-w-[22ch] ${title.length > 40 ? "text-4xl" : "text-5xl"}`}
        >
          {title}
        </h1>
        {description && <p className="mt-6 max-w-[36rem] text-lg text-ink-soft">{description}</p>}
        <div className="mt-10">
          <EnrollOffer
            slug={slug}
            isEnrolled={isEnrolled}
            label={labels.enroll}
            priceCents={priceCents}
            refundNote={refundNote}
          />
        </div>
      </Section>
      {modules.length > 0 && (
        <Spread id="outline" title="What is inside" className="border-t border-line">
          <CourseOutline modules={modules} />
        </Spread>
      )}
    </Page>
  );
}
