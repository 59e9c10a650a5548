import { data, redirect } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { LessonEditor } from "~/features/lesson-editor/components/lesson-editor.tsx";
import { problemOf } from "~/features/lesson-editor/components/save-outcome.ts";
import { openNewLesson, saveLessonForm } from "~/features/lesson-editor/editor.server.ts";
import { isStored } from "~/features/lesson-editor/lessons.server.ts";
import { formMessages } from "~/features/lesson-editor/messages.ts";
import { isId, newId } from "~/platform/db/ids.ts";
import { orProblem } from "~/platform/http/client-action.ts";
import { restoredFormContext, servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { flash, redirectWithToast } from "~/platform/http/flash.ts";
import { readForm } from "~/platform/http/form.ts";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/lesson-new.ts";

/** The lesson has its id from the beginning, also in the URL: what was uploaded and typed for it
 * is found again after a reload. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { id: userId } = requireAdmin(context, url);
  const services = servicesOf(context);
  const given = url.searchParams.get("id");
  // The form was refused, and its values are shown again on this page.
  const isKept = context.get(restoredFormContext) !== null;
  const lessonId = isKept && !isId(given) ? newId() : given;
  if (!isId(lessonId)) {
    const query = new URLSearchParams(url.searchParams);
    query.set("id", newId());
    throw redirect(`/admin/lessons/new?${query}`);
  }
  if (!isKept && (await isStored(services, lessonId))) throw redirect(`/admin/lessons/${lessonId}`);
  return openNewLesson(services, {
    userId,
    lessonId,
    moduleId: url.searchParams.get("module"),
    timeZone: context.get(timeZoneContext),
    draftId: url.searchParams.get("draft"),
  });
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { id: userId } = requireAdmin(context, url);
  const form = await readForm(request);
  const given = form.get("lessonId");
  const lessonId = isId(given) ? given : newId();
  const timeZone = context.get(timeZoneContext);
  const result = await saveLessonForm(servicesOf(context), { userId, lessonId, form, timeZone });
  if (result.kind === "problem") {
    context.set(restoredFormContext, "within");
    const { problem, status, toast } = result;
    const headers = flash(request, context, toast);
    return data({ problem, saved: null }, { status, headers });
  }
  return redirectWithToast(`/admin/lessons/${lessonId}`, result.toast);
}

/** Whatever comes instead of a response, or none: the page stays, with everything typed in it. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  orProblem(serverAction, (away, isOffline) =>
    problemOf(away, isOffline ? formMessages.offline : formMessages.createFailed),
  );
export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function NewLesson({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="New lesson" noindex />
      <LessonEditor
        key={`${loaderData.userId}:${loaderData.lessonId}`}
        opened={loaderData}
        problem={actionData?.problem ?? null}
        saved={null}
      />
    </>
  );
}
