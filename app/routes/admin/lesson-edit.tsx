import { data } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { DeleteLessonDialog } from "~/features/courses/components/delete-dialog.tsx";
import { previewLessonDeletion } from "~/features/courses/lesson-list.server.ts";
import { savedMessage, saveFailed } from "~/features/courses/messages.ts";
import { LessonEditor } from "~/features/lesson-editor/components/lesson-editor.tsx";
import { problemOf } from "~/features/lesson-editor/components/save-outcome.ts";
import { openLesson, saveLessonForm } from "~/features/lesson-editor/editor.server.ts";
import { deleteLesson } from "~/features/lesson-editor/lessons.server.ts";
import { formMessages } from "~/features/lesson-editor/messages.ts";
import { orProblem } from "~/platform/http/client-action.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { failure, flash, isFromScript, redirectWithToast } from "~/platform/http/flash.ts";
import { readForm } from "~/platform/http/form.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/lesson-edit.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { id: userId } = requireAdmin(context, url);
  const services = servicesOf(context);
  const [opened, deletion] = await Promise.all([
    openLesson(services, {
      userId,
      lessonId: params.id,
      timeZone: context.get(timeZoneContext),
      draftId: url.searchParams.get("draft"),
    }),
    url.searchParams.has("delete") ? previewLessonDeletion(services, params.id) : null,
  ]);
  if (!opened) throw data(null, 404);
  return { opened, deletion };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const { id: userId } = requireAdmin(context, url);
  const services = servicesOf(context);
  const form = await readForm(request);
  if (form.get("intent") === "delete") return deleteIt(services, params.id);
  const result = await saveLessonForm(services, {
    userId,
    lessonId: params.id,
    form,
    timeZone: context.get(timeZoneContext),
  });
  if (result.kind === "problem") {
    const { problem, status, toast } = result;
    const headers = flash(request, context, toast);
    return data({ problem, saved: null }, { status, headers });
  }
  // With scripts, the coach stays on the page with what they typed meanwhile.
  if (!isFromScript(request)) return redirectWithToast(`/admin/lessons/${params.id}`, result.toast);
  const headers = flash(request, context, result.toast);
  return data({ problem: null, saved: result.saved }, { headers });
}

async function deleteIt(services: Services, id: string) {
  try {
    const courseId = await deleteLesson(services, { id });
    if (!courseId) throw new Refused("not_found", saveFailed.lessonDelete);
    return redirectWithToast(`/admin/courses/${courseId}`, savedMessage("Lesson", "deleted"));
  } catch (error) {
    const { toast } = failure(services, error, saveFailed.lessonDelete);
    return redirectWithToast(`/admin/lessons/${id}`, toast);
  }
}

/** Whatever comes instead of a response, or none: the page stays, with everything typed in it. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  orProblem(serverAction, (away, isOffline) =>
    problemOf(away, isOffline ? formMessages.offline : formMessages.failed),
  );
export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function EditLesson({ loaderData, actionData }: Route.ComponentProps) {
  const { opened, deletion } = loaderData;
  return (
    <>
      <PageHead title={`${opened.fields.title} - Edit lesson`} noindex />
      <LessonEditor
        key={`${opened.userId}:${opened.lessonId}`}
        opened={opened}
        problem={actionData?.problem ?? null}
        saved={actionData?.saved ?? null}
      />
      {deletion && (
        <DeleteLessonDialog lesson={deletion} closeHref={`/admin/lessons/${opened.lessonId}`} />
      )}
    </>
  );
}
