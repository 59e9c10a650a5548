import { FileText } from "lucide";
import { useLocation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { CourseFilter } from "~/features/courses/components/course-filter.tsx";
import { DeleteLessonDialog } from "~/features/courses/components/delete-dialog.tsx";
import { listCourseFilters } from "~/features/courses/courses.server.ts";
import {
  findModulePlace,
  lessonSorts,
  listLessons,
  previewLessonDeletion,
} from "~/features/courses/lesson-list.server.ts";
import { courseLoadFailed, savedMessage, saveFailed } from "~/features/courses/messages.ts";
import {
  LessonTable,
  UnfinishedLessons,
} from "~/features/lesson-editor/components/lesson-table.tsx";
import { useUnsentLessonDrafts } from "~/features/lesson-editor/components/use-lesson-draft.ts";
import { listUnfinishedLessons } from "~/features/lesson-editor/drafts.server.ts";
import { deleteLesson } from "~/features/lesson-editor/lessons.server.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { failure, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import { shortDate } from "~/platform/time/words.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { ButtonLink } from "~/ui/button.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import { Icon } from "~/ui/icon.tsx";
import { List, type ListAddress, listAddress, rowsAPage } from "~/ui/list-tools.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/lessons.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { id: userId } = requireAdmin(context, url);
  const services = servicesOf(context);
  const asked = (name: string) => url.searchParams.get(name)?.replaceAll("\0", "") ?? null;
  const params = { ...readListParams(url, lessonSorts), moduleId: asked("module") };
  const timeZone = context.get(timeZoneContext);
  try {
    const [page, courses, module, deletion, unfinished] = await Promise.all([
      listLessons(services, { ...params, limit: rowsAPage }),
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
      list: { page: { ...page, rows }, courses, module, deletion, unfinished, userId },
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
  const back = listAddress(url);
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

export default function AdminLessons({ loaderData: { params, list } }: Route.ComponentProps) {
  const here = useLocation();
  const place = list?.module;
  return (
    <AdminPage
      title="Lessons"
      lead={place && `${place.courseTitle}, ${place.title}`}
      actions={<ButtonLink href={newPath(params)}>New lesson</ButtonLink>}
    >
      <PageHead title="Lessons" noindex />
      {list ? (
        <Lessons {...list} params={params} here={here} />
      ) : (
        <LoadFailed message={courseLoadFailed.lessons} href={here.pathname + here.search} />
      )}
    </AdminPage>
  );
}

type Data = Route.ComponentProps["loaderData"];
type ListProps = NonNullable<Data["list"]> & { params: Data["params"]; here: ListAddress };

const newPath = ({ moduleId }: Data["params"]) =>
  `/admin/lessons/new${moduleId ? `?module=${moduleId}` : ""}`;

function Lessons({ params, here, ...list }: ListProps) {
  const { page, courses, module, deletion, unfinished, userId } = list;
  useUnsentLessonDrafts(userId);
  const isFiltered = Boolean(params.search || params.courseId || params.moduleId);
  return (
    <>
      <UnfinishedLessons unfinished={unfinished} />
      <List
        here={here}
        previous={page.previous}
        next={page.next}
        total={page.total}
        page={page.page}
        things="lessons"
        searchLabel="Search by title"
        search={params.search}
        filters={
          <CourseFilter courses={courses} chosen={params.courseId ?? module?.courseId ?? null} />
        }
        empty={
          <EmptyState
            title="No lessons yet"
            picture={<Icon of={FileText} strokeWidth="1.25" className="size-10 text-ink-soft" />}
            action={<ButtonLink href={newPath(params)}>Write a lesson</ButtonLink>}
          >
            A lesson is a text, with a video, an audio and questions for the journal if you like.
          </EmptyState>
        }
        notFound={{ title: "No lesson like that", hint: "Try fewer words, or another course." }}
        exportPath="/admin/export/lessons"
      >
        {page.rows.length > 0 && (
          <>
            {isFiltered && (
              <p className="list-saved">
                {module && `Only lessons of “${module.title}”. `}
                <a href={here.pathname}>Show all lessons</a>
              </p>
            )}
            <LessonTable rows={page.rows} params={params} here={here} />
          </>
        )}
      </List>
      {deletion && <DeleteLessonDialog lesson={deletion} closeHref={listAddress(here)} />}
    </>
  );
}
