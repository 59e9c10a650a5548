import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { countEmailProblems, findEmailProblems } from "~/features/email-log/email-log.server.ts";
import { UnfinishedLessons } from "~/features/lesson-editor/components/lesson-table.tsx";
import { listUnfinishedLessons } from "~/features/lesson-editor/drafts.server.ts";
import { listPaymentIssues } from "~/features/payments/payments.server.ts";
import { listStudents } from "~/features/progress/students.server.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { shortDate } from "~/platform/time/words.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import { countedAtMost } from "~/ui/shell/admin-nav.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/overview.ts";

const loadFailed = "Failed to load the overview";
const shown = 5;

export async function loader({ context, url }: Route.LoaderArgs) {
  const { id: userId } = requireAdmin(context, url);
  const services = servicesOf(context);
  const timeZone = context.get(timeZoneContext);
  const newest = { sort: "joined", direction: "desc", search: "", courseId: null } as const;
  try {
    const [payments, emailProblems, emailTrouble, unfinished, people] = await Promise.all([
      listPaymentIssues(services, timeZone),
      countEmailProblems(services, countedAtMost),
      findEmailProblems(services, timeZone),
      listUnfinishedLessons(services, { userId, timeZone }),
      // A few more, for the admins among them.
      listStudents(services, { ...newest, cursor: null, limit: 2 * shown, uncounted: true }),
    ]);
    const issues = payments.flatMap(({ id, issues }) =>
      issues.map((issue) => ({ id: issue.id, paymentId: id, subject: issue.subject })),
    );
    const students = people.rows
      .filter(({ isAdmin }) => !isAdmin)
      .slice(0, shown)
      .map(({ id, name, email, createdAt }) => ({
        ...{ id, name, email },
        joined: shortDate(createdAt, timeZone),
      }));
    const hasMailServer = !(emailTrouble && "folder" in emailTrouble);
    return { issues, emailProblems, hasMailServer, unfinished, students };
  } catch (error) {
    services.log.error({ err: error }, loadFailed);
    return null;
  }
}

export default function OverviewPage({ loaderData }: Route.ComponentProps) {
  return (
    <AdminPage title="Overview" lead="What needs you, and what is new.">
      <PageHead title="Overview" noindex />
      {loaderData ? (
        <Overview {...loaderData} />
      ) : (
        <LoadFailed message={loadFailed} href="/admin/overview" />
      )}
    </AdminPage>
  );
}

type Data = NonNullable<Route.ComponentProps["loaderData"]>;

function Overview({ issues, emailProblems, hasMailServer, unfinished, students }: Data) {
  return (
    <div className="admin-columns">
      <section className="admin-part" aria-labelledby="needs-you">
        <h2 id="needs-you">Needs you</h2>
        {issues.length + emailProblems === 0 && hasMailServer ? (
          <p className="text-ink-soft">Nothing at the moment.</p>
        ) : (
          <ul className="admin-rows">
            {issues.slice(0, shown).map(({ id, paymentId, subject }) => (
              <li key={id}>
                <span className="min-w-0 wrap-anywhere">{subject}</span>
                <a href={`/admin/payments/${paymentId}`} aria-label={`Look at it: ${subject}`}>
                  Look at it
                </a>
              </li>
            ))}
            {issues.length > shown && (
              <li>
                <span>More payments need you</span>
                <a href="/admin/payments">All payments</a>
              </li>
            )}
            {emailProblems > 0 && (
              <li>
                <span>Emails that were not sent, or cannot be sent now</span>
                <a href="/admin/mail">Look at them</a>
              </li>
            )}
            {!hasMailServer && (
              <li>
                <span>Emails are not sent yet: no mail server is set up</span>
                <a href="/admin/mail">What happens to them</a>
              </li>
            )}
          </ul>
        )}
      </section>
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
