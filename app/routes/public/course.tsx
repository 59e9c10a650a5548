import { courseData } from "~/features/courses/components/course-data.ts";
import { CourseOutline } from "~/features/courses/components/course-outline.tsx";
import { findCourse, listModules } from "~/features/courses/courses.server.ts";
import { courseMessages } from "~/features/courses/messages.ts";
import { EnrollOffer } from "~/features/enrollments/components/enroll-offer.tsx";
import { findEnrollment } from "~/features/enrollments/enrollments.server.ts";
import { enrollLabels } from "~/features/enrollments/messages.ts";
import { coursePageWords } from "~/features/pages/page-words.server.ts";
import { missingPage } from "~/features/redirects/missing-page.server.ts";
import { currentUser, notFound, servicesOf } from "~/platform/http/context.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { paragraphsOf } from "~/platform/utils/paragraphs.ts";
import { Breadcrumbs } from "~/ui/breadcrumbs.tsx";
import { Cover } from "~/ui/cover.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Page, Section } from "~/ui/page.tsx";
import { Paragraphs } from "~/ui/paragraphs.tsx";
import { Spread } from "~/ui/public-parts.tsx";
import { breadcrumbs } from "~content/structured-data.ts";
import { PageData, PageHead } from "../page-head.tsx";
import type { Route } from "./+types/course.ts";
import { pressEnroll, refundNoteFor } from "./course-page.server.ts";
import { ComingSoonButton, SalesPage } from "./course-page.tsx";

const coverSizes = "(min-width: 64rem) 28rem, 92vw";

export const handle = { shared: true, checkout: true } satisfies RouteHandle;

// The course, and whether the visitor is enrolled; null without one. Only administrators see inactive courses.
async function load({ context, params }: Pick<Route.LoaderArgs, "context" | "params">) {
  const services = servicesOf(context);
  const viewer = currentUser(context);
  const course = await findCourse(services, params.slug);
  if (!course || !(course.active || viewer?.role === "admin")) return null;
  const productId = course.id;
  const enrollment = viewer && (await findEnrollment(services, { userId: viewer.id, productId }));
  return { course, isEnrolled: enrollment !== null };
}

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const found = await load({ context, params });
  if (!found) throw await missingPage({ context, url });
  const { course, isEnrolled } = found;
  const [modules, refundNote, page] = await Promise.all([
    listModules(servicesOf(context), course.id),
    refundNoteFor(context, { slug: course.slug, isEnrolled }),
    coursePageWords({ context, url }, course),
  ]);
  return { course, isEnrolled, modules, refundNote, ...page };
}

/** The enroll button (spec 2, /courses/{slug}). */
export async function action({ context, params }: Route.ActionArgs) {
  const found = await load({ context, params });
  if (!found) throw notFound(context);
  const { course, isEnrolled } = found;
  const { slug, comingSoon: isComingSoon } = course;
  return pressEnroll(context, { slug, course, isEnrolled, isComingSoon });
}

export default function CoursePage({ loaderData }: Route.ComponentProps) {
  const { course, isEnrolled, modules, refundNote, words, share } = loaderData;
  const { id: productId, slug, title, description, priceCents, comingSoon } = course;
  if (words)
    return (
      <SalesPage
        {...{ slug, productId, course, words, share, isEnrolled, refundNote }}
        isComingSoon={comingSoon}
        hasFailed={false}
      />
    );
  return (
    <Page>
      <PageHead title={title} description={description} share={share} cover={course.cover} />
      <PageData
        of={(origin, site) => [
          courseData(origin, site, { ...course, forSale: course.active && !comingSoon }),
          breadcrumbs(origin, [site.coursesLabel, "/courses"], [title, `/courses/${slug}`]),
        ]}
      />
      {!course.active && <Notice className="mt-6 mb-2">{courseMessages.onlyAdmins}</Notice>}
      <Breadcrumbs items={[{ label: "Courses", href: "/courses" }, { label: title }]} />
      <Section
        labelledBy="course-title"
        space="none"
        className={course.cover ? "opening course-opening pb-section" : "opening pb-section"}
      >
        <div>
          <h1
            id="course-title"
            className={`max-w-[22ch] ${title.length > 40 ? "text-4xl" : "text-5xl"}`}
          >
            {title}
          </h1>
          <Paragraphs
            of={paragraphsOf(description)}
            className="mt-6 max-w-[36rem] text-lg text-ink-soft"
          />
          <div className="mt-10">
            <EnrollOffer
              slug={slug}
              isEnrolled={isEnrolled}
              label={enrollLabels.enroll}
              instead={comingSoon && <ComingSoonButton />}
              priceCents={priceCents}
              refundNote={refundNote}
            />
          </div>
        </div>
        {course.cover && <Cover picture={course.cover} sizes={coverSizes} isFirst />}
      </Section>
      {modules.length > 0 && (
        <Spread id="outline" title="What is inside" className="border-t border-line">
          <CourseOutline modules={modules} />
        </Spread>
      )}
    </Page>
  );
}
