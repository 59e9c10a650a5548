import { useLocation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { CourseList, CourseListActions } from "~/features/courses/components/course-list.tsx";
import { changeCourse, readCourseList } from "~/features/courses/course-list.server.ts";
import { markWritten, readCareList } from "~/features/figures/care.server.ts";
import { CareList } from "~/features/figures/components/care-list.tsx";
import { Needs } from "~/features/figures/components/needs.tsx";
import { WeekFigures } from "~/features/figures/components/week-figures.tsx";
import { careMessages, overviewLoadFailed } from "~/features/figures/messages.ts";
import { readNeeds } from "~/features/figures/needs.server.ts";
import { readVisits } from "~/features/figures/visits.server.ts";
import { readWeeks } from "~/features/figures/weeks.server.ts";
import { UnfinishedLessons } from "~/features/lesson-editor/components/lesson-table.tsx";
import { listUnfinishedLessons } from "~/features/lesson-editor/drafts.server.ts";
import { listStudents } from "~/features/progress/students.server.ts";
import { MissingLine } from "~/features/readiness/components/checklist.tsx";
import { countMissing } from "~/features/readiness/readiness.server.ts";
import { readinessPath } from "~/features/readiness/rules.ts";
import { ratesInWords, suppressedPath } from "~/features/suppressions/messages.ts";
import { bounceRates } from "~/features/suppressions/rates.server.ts";
import { rateDays } from "~/features/suppressions/rules.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { failure, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { shortDate } from "~/platform/time/words.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { listAddress, rowsAPage } from "~/ui/list-tools.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/overview.ts";

const shown = 5;

export async function loader(args: Route.LoaderArgs) {
  const { context, url } = args;
  requireAdmin(context, url);
  const services = servicesOf(context);
  const [courses, missing, desk] = await Promise.all([
    readCourseList(services, url, rowsAPage),
    countMissing(services),
    readDesk(args).catch((error: unknown) => {
      services.log.error({ err: error }, overviewLoadFailed);
      return null;
    }),
  ]);
  return { courses, missing, desk };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const fields = await formFields(request);
  if (fields.intent !== "written") return changeCourse(services, fields, listAddress(url));
  try {
    await markWritten(services, fields.id ?? "");
    return redirectWithToast("/admin", careMessages.written);
  } catch (error) {
    return redirectWithToast("/admin", failure(services, error, careMessages.failed).toast);
  }
}

async function readDesk({ context, url }: Route.LoaderArgs) {
  const { id: userId } = requireAdmin(context, url);
  const services = servicesOf(context);
  const timeZone = context.get(timeZoneContext);
  const newest = { sort: "joined", direction: "desc", search: "", courseId: null } as const;
  const [needs, care, weeks, visits, rates, unfinished, people] = await Promise.all([
    readNeeds(services, timeZone),
    readCareList(services, timeZone),
    readWeeks(services, timeZone),
    readVisits(services, timeZone),
    bounceRates(services.db.read, services.clock.now()),
    listUnfinishedLessons(services, { userId, timeZone }),
    // A few more, for the admins among them.
    listStudents(services, { ...newest, cursor: null, limit: 2 * shown, uncounted: true }),
  ]);
  const students = people.rows
    .filter(({ isAdmin }) => !isAdmin)
    .slice(0, shown)
    .map(({ id, name, email, createdAt }) => ({
      ...{ id, name, email },
      joined: shortDate(createdAt, timeZone),
    }));
  // Beside the sales.
  const figures = [...weeks.figures, { ...visits.figure, href: "/admin/visits" }];
  const emails = rates.sent > 0 ? ratesInWords(rates, rateDays) : null;
  return { needs, care, weeks: { ...weeks, figures }, emails, unfinished, students };
}

export default function OverviewPage({ loaderData }: Route.ComponentProps) {
  const { courses, missing, desk } = loaderData;
  return (
    <AdminPage title="Overview" lead="What needs you, how it goes, and what you teach.">
      <PageHead title="Overview" noindex />
      <div className="admin-desk">
        {missing !== null && missing > 0 && <MissingLine missing={missing} href={readinessPath} />}
        {desk ? <Figures {...desk} /> : <LoadFailed message={overviewLoadFailed} href="/admin" />}
        <section className="admin-part" aria-labelledby="courses">
          <div className="admin-part-head">
            <h2 id="courses">Courses</h2>
            <div className="flex flex-wrap gap-3">
              <CourseListActions />
            </div>
          </div>
          <CourseList {...courses} here={useLocation()} />
        </section>
        {desk && <New {...desk} />}
      </div>
    </AdminPage>
  );
}

type Desk = NonNullable<Route.ComponentProps["loaderData"]["desk"]>;

function Figures({ needs, care, weeks, emails }: Desk) {
  return (
    <>
      <section className="admin-part" aria-labelledby="needs-you">
        <h2 id="needs-you">Needs you</h2>
        <Needs needs={needs} />
      </section>
      {care.students.length > 0 && (
        <section className="admin-part" aria-labelledby="asked">
          <h2 id="asked">Asked you to write</h2>
          <CareList {...care} />
        </section>
      )}
      <section className="admin-part" aria-labelledby="this-week">
        <h2 id="this-week">This week</h2>
        <WeekFigures {...weeks} exportPath="/admin/export/weeks" />
        {emails && (
          <p className="mt-4 text-sm text-ink-soft">
            {emails} <a href={suppressedPath}>Addresses that get no email</a>
          </p>
        )}
      </section>
    </>
  );
}

function New({ unfinished, students }: Desk) {
  return (
    <div className="admin-columns">
      <section className="admin-part" aria-labelledby="unfinished">
        <h2 id="unfinished">Unfinished lessons</h2>
        {unfinished.length > 0 ? (
          <UnfinishedLessons unfinished={unfinished} />
        ) : (
          <p className="text-ink-soft">
            None. <a href="/admin/lessons/new">Write a lesson</a>
          </p>
        )}
      </section>
      <section className="admin-part" aria-labelledby="newest">
        <h2 id="newest">Newest students</h2>
        {students.length > 0 ? (
          <ul className="admin-rows">
            {students.map(({ id, name, email, joined }) => (
              <li key={id}>
                <span className="two-lines min-w-0 wrap-anywhere">
                  <a href={`/admin/students/${id}`}>{name}</a>
                  <span className="person-email">{email}</span>
                </span>
                <span className="text-sm text-ink-soft">{joined}</span>
              </li>
            ))}
          </ul>
        ) : (
          <p className="text-ink-soft">None yet.</p>
        )}
        <p className="mt-4 flex flex-wrap gap-x-6 gap-y-2">
          <a href="/admin/students">All students</a>
          <a href="/admin/enrollments/invite">Invite by email</a>
        </p>
      </section>
    </div>
  );
}
