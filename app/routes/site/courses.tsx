import { CourseCard } from "~/features/courses/components/course-card.tsx";
import { listActiveCourses } from "~/features/courses/queries.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { Page, Section } from "~/ui/page.tsx";
import { pageTitle } from "~content/site.ts";
import type { Route } from "./+types/courses.ts";

/** A failure to read the list is logged, and the list is empty (spec 8). */
export async function loader({ context }: Route.LoaderArgs) {
  const services = servicesOf(context);
  try {
    return { courses: await listActiveCourses(services) };
  } catch (error) {
    services.log.error({ err: error }, "the course list could not be read");
    return { courses: [] };
  }
}

export default function Courses({ loaderData }: Route.ComponentProps) {
  return (
    <Page>
      <title>{pageTitle("Courses")}</title>
      <meta
        name="description"
        content="Self-paced grief courses: short lessons, small practices and a private journal, in your own time."
      />
      <Section labelledBy="courses-title">
        <h1 id="courses-title" className="text-4xl">
          Courses
        </h1>
        <p className="mt-4 max-w-[34rem] text-lg text-ink-soft">
          Short lessons and small practices, in your own time. Stop whenever you need to. Your place
          is kept.
        </p>
        {loaderData.courses.length > 0 && (
          <ul className="mt-12 grid gap-6 md:grid-cols-2">
            {loaderData.courses.map((course) => (
              <CourseCard key={course.id} course={course} />
            ))}
          </ul>
        )}
        <p className="mt-12 text-ink-soft">More courses coming soon</p>
      </Section>
    </Page>
  );
}
