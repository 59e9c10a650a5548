import { data, useLocation } from "react-router";
import { adminOf } from "~/features/accounts/admin/queries.server.ts";
import { duplicateCourse } from "~/features/courses/copies/commands.server.ts";
import { saveCourse, typedCourse } from "~/features/courses/forms/commands.server.ts";
import { arrangeFromForm } from "~/features/courses/outline/commands.server.ts";
import { Outline } from "~/features/courses/outline/components/outline.tsx";
import { getArrangedCourse } from "~/features/courses/outline/queries.server.ts";
import { setActive } from "~/features/courses/products/commands.server.ts";
import { CourseActions } from "~/features/courses/products/components/course-actions.tsx";
import { CourseForm } from "~/features/courses/products/components/course-form.tsx";
import { getCourse, hasStudents } from "~/features/courses/products/queries.server.ts";
import { courseTexts } from "~/features/courses/products/texts.ts";
import { deleteCourse } from "~/features/courses/removal/commands.server.ts";
import { DeleteCourseDialog } from "~/features/courses/removal/components/delete-dialog.tsx";
import { goingWithCourse } from "~/features/courses/removal/queries.server.ts";
import { messages, saved, saveFailed } from "~/features/courses/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { newId } from "~/platform/db/ids.ts";
import { orUnreachable, unlessUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { failure } from "~/platform/http/failure.ts";
import { flash, isFromScript, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { DeskPage } from "~/ui/desk.tsx";
import type { Route } from "./+types/edit.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  adminOf(context, url);
  const services = servicesOf(context);
  const course = await getCourse(services, params.id);
  if (!course) throw data(null, 404);
  const asksToDelete = url.searchParams.has("delete");
  const [modules, isStudied, going] = await Promise.all([
    getArrangedCourse(services, course.id),
    hasStudents(services, course.id),
    asksToDelete ? goingWithCourse(services, course.id) : null,
  ]);
  const { id, title, slug, active, revision } = course;
  const shown = { id, title, slug, active, revision, typed: typedCourse(course) };
  return { course: shown, modules, isStudied, going, copyId: newId() };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  adminOf(context, url);
  const services = servicesOf(context);
  const { id } = params;
  const here = `/admin/courses/${id}`;
  const fields = await formFields(request);
  if (fields.intent === "save") {
    const outcome = await saveCourse(services, { ...fields, id });
    const done = saved("Course", "updated");
    // Whoever has scripts stays on the page with what she went on typing.
    if ("id" in outcome && isFromScript(request))
      return data({ saved: outcome.saved }, { headers: flash(request, context, done) });
    if ("id" in outcome) return redirectWithToast(here, done);
    const { problem, status, toast } = outcome;
    return data({ problem }, { status, headers: toast ? flash(request, context, toast) : {} });
  }
  const arranged = await arrangeFromForm(services, id, fields);
  if (arranged && isFromScript(request)) return data(arranged);
  if (arranged && "said" in arranged)
    return redirectWithToast(here, { title: arranged.said, tone: "success" });
  if (arranged)
    return redirectWithToast(here, {
      title: "Error",
      description: arranged.problem,
      tone: "destructive",
    });
  return press(services, { id, intent: fields.intent, copyId: fields.copyId ?? "" });
}

type Pressed = { id: string; intent: string | undefined; copyId: string };

/** The buttons above the form. */
async function press(services: ReturnType<typeof servicesOf>, { id, intent, copyId }: Pressed) {
  const here = `/admin/courses/${id}`;
  try {
    switch (intent) {
      case "activate":
      case "deactivate": {
        const active = intent === "activate";
        await setActive(services, { id, active });
        return redirectWithToast(here, active ? messages.activated : messages.deactivated);
      }
      case "duplicate": {
        const copy = await duplicateCourse(services, { id, copyId });
        return redirectWithToast(`/admin/courses/${copy}`, messages.duplicated);
      }
      case "delete":
        await deleteCourse(services, id);
        return redirectWithToast("/admin", saved("Course", "deleted"));
      default:
        throw data(null, 400);
    }
  } catch (error) {
    const fallbacks: Record<string, string> = {
      delete: saveFailed.courseDelete,
      duplicate: courseTexts.duplicateFailed,
    };
    const fallback = fallbacks[intent ?? ""] ?? saveFailed.courseUpdate;
    return redirectWithToast(here, failure(services, error, fallback).toast);
  }
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  orUnreachable(serverAction);
export const shouldRevalidate = unlessUnreachable;

export default function CoursePage({ loaderData, actionData }: Route.ComponentProps) {
  const { course, modules, isStudied, going, copyId } = loaderData;
  const here = useLocation();
  const { problem } = actionData && "problem" in actionData ? actionData : { problem: null };
  return (
    <DeskPage
      title={course.title}
      lead={
        course.active
          ? `Active: everybody can see it at /courses/${course.slug}.`
          : "Inactive: only you and those who are enrolled see it."
      }
      back={{ href: "/admin", label: "Courses" }}
      actions={<CourseActions course={course} copyId={copyId} />}
    >
      <PageHead title={course.title} noindex />
      <div key={course.id} className="course-page">
        <CourseForm
          id={course.id}
          typed={course.typed}
          revision={course.revision}
          problem={typeof problem === "string" ? null : problem}
          saved={actionData && "saved" in actionData ? actionData.saved : null}
          hasStudents={isStudied}
        />
        <Outline courseId={course.id} slug={course.slug} modules={modules} />
      </div>
      {going && <DeleteCourseDialog going={going} closeHref={here.pathname} />}
    </DeskPage>
  );
}
