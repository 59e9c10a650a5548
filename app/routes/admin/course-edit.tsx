import { data, useLocation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { CourseForm } from "~/features/courses/components/course-form.tsx";
import { CourseActions } from "~/features/courses/components/course-table.tsx";
import { DeleteCourseDialog } from "~/features/courses/components/delete-dialog.tsx";
import { Outline } from "~/features/courses/components/outline.tsx";
import { answerForm, saveCourse, typedCourse } from "~/features/courses/course-forms.server.ts";
import { getCourse, setActive } from "~/features/courses/courses.server.ts";
import { duplicateCourse } from "~/features/courses/create-course.server.ts";
import { deleteCourse } from "~/features/courses/deletion.server.ts";
import { previewCourseDeletion } from "~/features/courses/deletion-preview.server.ts";
import {
  courseFormMessages,
  courseMessages,
  savedMessage,
  saveFailed,
} from "~/features/courses/messages.ts";
import { getCourseOutline, submitReorder } from "~/features/courses/ordering.server.ts";
import { comingSoonHint, hasDedicatedPage, visitorsSee } from "~/features/courses/rules.ts";
import { UnfinishedLessons } from "~/features/lesson-editor/components/lesson-table.tsx";
import { listUnfinishedLessons } from "~/features/lesson-editor/drafts.server.ts";
import { FilmFaults } from "~/features/lesson-media/components/film-faults.tsx";
import { listFilmFaults } from "~/features/lesson-media/media-panel.server.ts";
import { PicturePanel } from "~/features/pictures/components/picture-panel.tsx";
import { coversOf } from "~/features/pictures/pictures.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { orUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { failure, isFromScript, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/course-edit.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { id: userId } = requireAdmin(context, url);
  const services = servicesOf(context);
  const course = await getCourse(services, params.id);
  if (!course) throw data(null, 404);
  const asksToDelete = url.searchParams.has("delete");
  const timeZone = context.get(timeZoneContext);
  const [modules, unfinished, filmFaults, deletion] = await Promise.all([
    getCourseOutline(services, course.id),
    listUnfinishedLessons(services, { userId, timeZone, courseId: course.id }),
    listFilmFaults(services, course.id),
    asksToDelete ? previewCourseDeletion(services, course.id) : null,
  ]);
  const { id, title, slug, active, revision } = course;
  const [{ cover } = { cover: null }] = await coversOf(services.db.read, [course]);
  const standing = {
    ...course,
    canSell: services.stripe !== null,
    hasOwnPage: hasDedicatedPage(slug),
  };
  return {
    ...{ lead: visitorsSee(standing), hint: comingSoonHint(standing) },
    course: { id, title, slug, active, revision, typed: typedCourse(course), cover },
    ...{ modules, unfinished, filmFaults, deletion, copyId: newId() },
  };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { id } = params;
  const here = `/admin/courses/${id}`;
  const fields = await formFields(request);
  if (fields.intent === "save") {
    const outcome = await saveCourse(services, { ...fields, id });
    const done = { ...savedMessage("Course", "updated"), to: here, stays: true };
    return answerForm({ request, context }, outcome, done);
  }
  const arranged = await submitReorder(services, id, fields);
  if (arranged)
    return isFromScript(request) ? data(arranged) : redirectWithToast(here, arranged.toast);
  const { intent, copyId = "" } = fields;
  try {
    switch (intent) {
      case "activate":
      case "deactivate": {
        const active = intent === "activate";
        await setActive(services, { id, active });
        return redirectWithToast(
          here,
          active ? courseMessages.activated : courseMessages.deactivated,
        );
      }
      case "duplicate": {
        const copy = await duplicateCourse(services, { id, copyId });
        return redirectWithToast(`/admin/courses/${copy}`, courseMessages.duplicated);
      }
      case "delete":
        await deleteCourse(services, id);
        return redirectWithToast("/admin", savedMessage("Course", "deleted"));
      default:
        throw data(null, 400);
    }
  } catch (error) {
    const fallbacks: Record<string, string> = {
      delete: saveFailed.courseDelete,
      duplicate: courseFormMessages.duplicateFailed,
    };
    const fallback = fallbacks[intent ?? ""] ?? saveFailed.courseUpdate;
    return redirectWithToast(here, failure(services, error, fallback).toast);
  }
}

export const clientAction = (args: Route.ClientActionArgs) => orUnreachable(args);
export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function CoursePage({ loaderData, actionData }: Route.ComponentProps) {
  const { lead, hint, course, modules, deletion, copyId } = loaderData;
  const here = useLocation();
  const form = actionData && "saved" in actionData ? actionData : null;
  return (
    <AdminPage
      title={course.title}
      lead={lead}
      above={[{ href: "/admin/courses", label: "Courses" }]}
      actions={<CourseActions course={course} copyId={copyId} />}
    >
      <PageHead title={`${course.title} - Edit course`} noindex />
      <div key={course.id} className="course-page">
        <CourseForm
          id={course.id}
          typed={course.typed}
          revision={course.revision}
          problem={form?.problem ?? null}
          saved={form?.saved ?? null}
          comingSoonHint={hint}
        />
        <Outline courseId={course.id} slug={course.slug} modules={modules}>
          <UnfinishedLessons unfinished={loaderData.unfinished} />
          <FilmFaults faults={loaderData.filmFaults} isActive={course.active} />
        </Outline>
        <PicturePanel use="cover" id={course.id} picture={course.cover} title="Cover picture">
          On the list of courses, on the page of the course, and where somebody shares it. Saved at
          once.
        </PicturePanel>
      </div>
      {deletion && <DeleteCourseDialog deletion={deletion} closeHref={here.pathname} />}
    </AdminPage>
  );
}
