import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { listCourseFilters } from "~/features/courses/courses.server.ts";
import {
  findModulePlace,
  lessonSorts,
  listLessons,
  previewLessonDeletion,
} from "~/features/courses/lesson-list.server.ts";
import { courseLoadFailed, savedMessage, saveFailed } from "~/features/courses/messages.ts";
import { LessonsPage } from "~/features/lesson-editor/components/lesson-table.tsx";
import { listUnfinishedLessons } from "~/features/lesson-editor/drafts.server.ts";
import { deleteLesson } from "~/features/lesson-editor/lessons.server.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { failure } from "~/platform/http/failure.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import { shortDate } from "~/platform/time/words.ts";
import { listAddress } from "~/ui/list-tools.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/lessons.ts";

const limit = 50;

export async function loader({ context, url }: Route.LoaderArgs) {
  const { id: userId } = requireAdmin(context, url);
  const services = servicesOf(context);
  const asked = (name: string) => url.searchParams.get(name)?.replaceAll("\0", "") ?? null;
  const params = { ...readListParams(url, lessonSorts), moduleId: asked("module") };
  const timeZone = context.get(timeZoneContext);
  try {
    const [page, courses, module, leaving, unfinished] = await Promise.all([
      listLessons(services, { ...params, limit }),
      listCourseFilters(services),
      findModulePlace(services, params.moduleId),
      previewLessonDeletion(services, asked("delete")),
      listUnfinishedLessons(services, { userId, timeZone }),
    ]);
    const rows = page.rows.map(({ updatedAt, ...row }) => ({
      ...row,
      changed: shortDate(updatedAt, timeZone),
    }));
    return {
      params,
      list: { page: { ...page, rows }, courses, module, leaving, unfinished, userId },
    };
  } catch (error) {
    services.log.error({ err: error }, "the list of lessons could not be read");
    return { params, list: null };
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { id = "" } = await formFields(request);
  const back = listAddress(url, { delete: null });
  try {
    if (await deleteLesson(services, { id }))
      return redirectWithToast(back, savedMessage("Lesson", "deleted"));
    return redirectWithToast(back, {
      title: "Error",
      description: saveFailed.lessonDelete,
      tone: "destructive",
    });
  } catch (error) {
    return redirectWithToast(back, failure(services, error, saveFailed.lessonDelete).toast);
  }
}

export default function AdminLessons({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Lessons" noindex />
      <LessonsPage {...loaderData} failure={courseLoadFailed.lessons} />
    </>
  );
}
