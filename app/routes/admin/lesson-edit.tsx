import { data } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { LessonEditor } from "~/features/lesson-editor/components/lesson-editor.tsx";
import { problemOf } from "~/features/lesson-editor/components/save-outcome.ts";
import { openLesson, saveLessonForm } from "~/features/lesson-editor/editor.server.ts";
import { formMessages } from "~/features/lesson-editor/messages.ts";
import { orProblem } from "~/platform/http/client-action.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { flash, isFromScript, redirectWithToast } from "~/platform/http/flash.ts";
import { readForm } from "~/platform/http/form.ts";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/lesson-edit.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { id: userId } = requireAdmin(context, url);
  const opened = await openLesson(servicesOf(context), {
    userId,
    lessonId: params.id,
    timeZone: context.get(timeZoneContext),
    draftId: url.searchParams.get("draft"),
  });
  if (!opened) throw data(null, 404);
  return opened;
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const { id: userId } = requireAdmin(context, url);
  const result = await saveLessonForm(servicesOf(context), {
    userId,
    lessonId: params.id,
    form: await readForm(request),
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

/** Whatever comes instead of a response, or none: the page stays, with everything typed in it. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  orProblem(serverAction, (away, isOffline) =>
    problemOf(away, isOffline ? formMessages.offline : formMessages.failed),
  );
export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function EditLesson({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Edit lesson" noindex />
      <LessonEditor
        key={`${loaderData.userId}:${loaderData.lessonId}`}
        opened={loaderData}
        problem={actionData?.problem ?? null}
        saved={actionData?.saved ?? null}
      />
    </>
  );
}
