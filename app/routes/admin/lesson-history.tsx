import { data } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import {
  compareLessonVersion,
  findLessonPlace,
  restoreLessonVersion,
} from "~/features/lesson-editor/lesson-history.server.ts";
import { SavedVersions } from "~/features/versions/components/saved-versions.tsx";
import { versionMessages } from "~/features/versions/messages.ts";
import { versionNumber } from "~/features/versions/rules.ts";
import { listVersions, versionSubject } from "~/features/versions/versions.server.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { failure, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { dateAndTime } from "~/platform/time/words.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { rowsAPage } from "~/ui/list-tools.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/lesson-history.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { id } = params;
  const place = await findLessonPlace(services, id);
  if (!place) throw data(null, 404);
  const timeZone = context.get(timeZoneContext);
  const cursor = url.searchParams.get("at");
  const asked = versionNumber(url.searchParams.get("version"));
  const [list, compared] = await Promise.all([
    listVersions(services, versionSubject("lesson", id), { cursor, limit: rowsAPage, timeZone }),
    asked === null ? null : compareLessonVersion(services, id, asked),
  ]);
  const when = compared && dateAndTime(compared.createdAt, timeZone);
  return { place, list, compared: compared && { ...compared, when } };
}

/** Brings a version back. */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const fields = await formFields(request);
  const number = versionNumber(fields.number) ?? 0;
  const revision = versionNumber(fields.revision) ?? 0;
  const seen = { revision, orderBefore: versionNumber(fields.orderBefore) ?? 0 };
  const here = `/admin/lessons/${params.id}/history`;
  try {
    await restoreLessonVersion(services, { id: params.id, number, ...seen });
    return redirectWithToast(here, versionMessages.restored(number));
  } catch (error) {
    const { toast } = failure(services, error, versionMessages.failed);
    return redirectWithToast(`${here}?version=${number}`, toast);
  }
}

export default function LessonHistory({ loaderData, params }: Route.ComponentProps) {
  const { place, list, compared } = loaderData;
  return (
    <AdminPage
      title="History"
      lead="Every saved version, newest first. An older one can be brought back."
      above={[
        { href: "/admin/courses", label: "Courses" },
        { href: `/admin/courses/${place.courseId}`, label: place.courseTitle },
        { href: `/admin/modules/${place.moduleId}`, label: place.moduleTitle },
        { href: `/admin/lessons/${params.id}`, label: place.title },
      ]}
    >
      <PageHead title={`${place.title} - History`} noindex />
      <SavedVersions list={list} compared={compared} />
    </AdminPage>
  );
}
