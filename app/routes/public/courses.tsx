import { courseListData } from "~/features/courses/components/course-data.ts";
import { listActiveCourses } from "~/features/courses/courses.server.ts";
import { freePriceLabel } from "~/features/courses/rules.ts";
import { enrollLabels } from "~/features/enrollments/messages.ts";
import { Pencil, useWords } from "~/features/pages/components/pencil.tsx";
import { pageWords } from "~/features/pages/page-words.server.ts";
import { incompleteContext, servicesOf } from "~/platform/http/context.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { paragraphsOf } from "~/platform/utils/paragraphs.ts";
import { Cover } from "~/ui/cover.tsx";
import { Illustration } from "~/ui/illustrations/illustration.tsx";
import water from "~/ui/illustrations/water.svg?raw";
import { Page, Section } from "~/ui/page.tsx";
import { Paragraphs } from "~/ui/paragraphs.tsx";
import { unbroken } from "~content/site.ts";
import { breadcrumbs } from "~content/structured-data.ts";
import { useSite } from "~content/use-site.ts";
import type { Course } from "../../features/courses/schema.ts";
import { PageData, PageHead } from "../page-head.tsx";
import type { Route } from "./+types/courses.ts";

export const handle = { shared: true } satisfies RouteHandle;

/** A failure to read the list is logged, and the list is empty (spec 8). */
export async function loader({ context, url }: Route.LoaderArgs) {
  const services = servicesOf(context);
  const page = await pageWords({ context, url }, "courses");
  try {
    const courses = await listActiveCourses(services);
    const listed = courses.map((course) => ({ ...course, forSale: !course.comingSoon }));
    return { ...page, courses: listed };
  } catch (error) {
    services.log.error({ err: error }, "the course list could not be read");
    context.set(incompleteContext, true);
    return { ...page, courses: [] };
  }
}

// Shown beside a course's link: not available yet, or free. Prices are on the course's page.
function remarkOn({ forSale, priceCents }: { forSale: boolean; priceCents: number }) {
  if (!forSale) return enrollLabels.notYetShort;
  return priceCents === 0 ? freePriceLabel : undefined;
}

export default function Courses({ loaderData }: Route.ComponentProps) {
  const { courses } = loaderData;
  const words = useWords(loaderData.words);
  const site = useSite();
  return (
    <>
      <Page>
        <PageHead title={words.title} description={words.description} share={loaderData.share} />
        <PageData
          of={(origin, site) => [
            ...courseListData(origin, site, courses),
            breadcrumbs(origin, [site.coursesLabel, "/courses"]),
          ]}
        />
        <Section labelledBy="courses-title" space="none" className="opening pb-section">
          <h1 id="courses-title" className="text-5xl">
            {words.heading}
            <Pencil at="heading" />
          </h1>
          <p className="mt-6 max-w-[34rem] text-lg text-balance text-ink-soft">
            {words.lead}
            <Pencil at="lead" />
          </p>
          {courses.length > 0 ? (
            <ul className="mt-14 grid gap-6 md:grid-cols-2">
              {courses.map((course, at) => (
                <CourseCard
                  key={course.id}
                  isFirst={at === 0}
                  course={{ ...course, title: unbroken(site, course.title) }}
                  remark={remarkOn(course)}
                />
              ))}
            </ul>
          ) : (
            <p className="mt-14 max-w-[30rem] border-y border-line py-10 text-lg">
              {words.empty}
              <Pencil at="empty" />
            </p>
          )}
          <div className="mt-14">
            <p className="font-serif text-xl">
              {words.moreTitle}
              <Pencil at="moreTitle" />
            </p>
            <p className="mt-2 max-w-[30rem] text-balance text-ink-soft">
              {words.moreText}
              <Pencil at="moreText" />
            </p>
          </div>
        </Section>
      </Page>
      <Illustration drawing={water} band="water" />
    </>
  );
}

const cardSizes = "(min-width: 48rem) 30rem, 88vw";

type CourseCardProps = {
  course: Course;
  remark?: string | undefined;
  isFirst: boolean;
};

function CourseCard({ course, remark, isFirst }: CourseCardProps) {
  return (
    <li className="card gap-4">
      {course.cover && <Cover picture={course.cover} sizes={cardSizes} isFirst={isFirst} />}
      {/* A clamped box would cut off descenders at a tighter line height. */}
      <h2 className="line-clamp-4 text-2xl sm:text-3xl/[1.2]">{course.title}</h2>
      <Paragraphs of={paragraphsOf(course.description)} className="line-clamp-12 text-ink-soft" />
      <p className="mt-auto flex flex-wrap items-baseline gap-x-6 pt-6">
        <a className="card-link" href={`/courses/${course.slug}`}>
          Learn more
          <span className="sr-only"> about {course.title}</span>
        </a>
        {remark && <span className="text-sm text-ink-soft">{remark}</span>}
      </p>
    </li>
  );
}
