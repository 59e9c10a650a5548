import { data, redirect } from "react-router";
import { adminOf } from "~/features/accounts/admin/queries.server.ts";
import { saveFromForm } from "~/features/courses/editor/commands.server.ts";
import { openNewLesson } from "~/features/courses/editor/queries.server.ts";
import { LessonEditor } from "~/features/courses/lessons/components/lesson-editor.tsx";
import { problemOf } from "~/features/courses/lessons/components/save-outcome.ts";
import { isStored } from "~/features/courses/lessons/queries.server.ts";
import { formMessages } from "~/features/courses/lessons/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { isId, newId } from "~/platform/db/ids.ts";
import { orProblem, unlessUnreachable } from "~/platform/http/client-action.ts";
import { keptFormContext, servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { flash, redirectWithToast } from "~/platform/http/flash.ts";
import { readForm } from "~/platform/http/form.ts";
import type { Route } from "./+types/new.ts";

/**
 * The lesson has its id from the beginning, and the address has it too: what was uploaded and
 * typed for it is found again after a reload.
 */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { id: userId } = adminOf(context, url);
  const services = servicesOf(context);
  const given = url.searchParams.get("id");
  // The form was refused, and its words come back in this very page.
  const isKept = context.get(keptFormContext) !== null;
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
  const { id: userId } = adminOf(context, url);
  const form = await readForm(request);
  const given = form.get("lessonId");
  const lessonId = isId(given) ? given : newId();
  const timeZone = context.get(timeZoneContext);
  const result = await saveFromForm(servicesOf(context), { userId, lessonId, form, timeZone });
  if (result.kind === "problem") {
    context.set(keptFormContext, "within");
    const { problem, status, toast } = result;
    const headers = flash(request, context, toast);
    return data({ problem, saved: null }, { status, headers });
  }
  return redirectWithToast(`/admin/lessons/${lessonId}`, result.toast);
}

/** Whatever comes instead of an answer, or none: the page stays as it is, with every word in it. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  orProblem(serverAction, (away, isOffline) =>
    problemOf(away, isOffline ? formMessages.offline : formMessages.createFailed),
  );
export const shouldRevalidate = unlessUnreachable;

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
