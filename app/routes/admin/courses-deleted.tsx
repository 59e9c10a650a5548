import { data, useLocation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { DeletedTable } from "~/features/courses/components/deleted-table.tsx";
import { restoreDeleted } from "~/features/courses/deletion.server.ts";
import { listDeleted } from "~/features/courses/deletion-preview.server.ts";
import { courseDeletionMessages } from "~/features/courses/messages.ts";
import { restoreDays } from "~/features/courses/rules.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { failure, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import { shortDate } from "~/platform/time/words.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { ButtonLink } from "~/ui/button.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import { Pager } from "~/ui/list-tools.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/courses-deleted.ts";

const here = "/admin/courses/deleted";
const limit = 50;

export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const timeZone = context.get(timeZoneContext);
  try {
    const { cursor } = readListParams(url, { deleted: "desc" });
    const asked = await listDeleted(services, { cursor, limit });
    // Everything on the last page was restored: the first page is shown.
    const page = asked.rows[0] ? asked : await listDeleted(services, { cursor: null, limit });
    return {
      previous: page.previous,
      next: page.next,
      deleted: page.rows.map(({ deletedAt, until, ...row }) => ({
        ...row,
        when: shortDate(deletedAt, timeZone),
        until: shortDate(until, timeZone),
      })),
    };
  } catch (error) {
    services.log.error({ err: error }, courseDeletionMessages.loadFailed);
    return { previous: null, next: null, deleted: null };
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { kind, id = "" } = await formFields(request);
  if (kind !== "course" && kind !== "module" && kind !== "lesson") throw data(null, 400);
  try {
    return redirectWithToast(here + url.search, await restoreDeleted(services, { kind, id }));
  } catch (error) {
    return redirectWithToast(
      here + url.search,
      failure(services, error, courseDeletionMessages.failed).toast,
    );
  }
}

export default function Deleted({ loaderData }: Route.ComponentProps) {
  const { deleted, previous, next } = loaderData;
  const place = useLocation();
  return (
    <AdminPage
      title="Recently deleted"
      lead={`What you delete can be brought back for ${restoreDays} days, with everything that was in it.`}
      above={[{ href: "/admin/courses", label: "Courses" }]}
    >
      <PageHead title="Recently deleted" noindex />
      {!deleted ? (
        <LoadFailed message={courseDeletionMessages.loadFailed} href={here} />
      ) : deleted.length === 0 ? (
        <EmptyState
          title="Nothing was deleted lately"
          action={
            <ButtonLink variant="outline" href="/admin/courses">
              Back to the courses
            </ButtonLink>
          }
        >
          <p>Courses, modules and lessons that you delete stay here for {restoreDays} days.</p>
        </EmptyState>
      ) : (
        <>
          <DeletedTable deleted={deleted} />
          <Pager here={place} previous={previous} next={next} />
        </>
      )}
    </AdminPage>
  );
}
