import { data, type ShouldRevalidateFunctionArgs } from "react-router";
import { adminOf } from "~/features/accounts/admin/queries.server.ts";
import { saveFromForm } from "~/features/courses/editor/commands.server.ts";
import { openLesson } from "~/features/courses/editor/queries.server.ts";
import { LessonEditor } from "~/features/courses/lessons/components/lesson-editor.tsx";
import { problemOf } from "~/features/courses/lessons/components/save-outcome.ts";
import { formMessages } from "~/features/courses/lessons/texts.ts";
import { saved } from "~/features/courses/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { flash, redirectWithToast } from "~/platform/http/flash.ts";
import { readForm } from "~/platform/http/form.ts";
import { isLineLost, unreachable, wasUnreachable } from "~/platform/http/unreachable.ts";
import type { Route } from "./+types/edit.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { id: userId } = adminOf(context, url);
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
  const { id: userId } = adminOf(context, url);
  const result = await saveFromForm(servicesOf(context), {
    userId,
    lessonId: params.id,
    form: await readForm(request),
    timeZone: context.get(timeZoneContext),
  });
  if (result.kind === "problem") {
    const toast = {
      title: "Error",
      description: result.problem.message,
      tone: "destructive",
    } as const;
    const headers = flash(request, context, toast);
    return data({ problem: result.problem, saved: null }, { status: result.status, headers });
  }
  // Whoever has scripts stays on the page with what she went on typing.
  const toast = saved("Lesson", result.how);
  if (!new URL(request.url).pathname.endsWith(".data"))
    return redirectWithToast(`/admin/lessons/${params.id}`, toast);
  const headers = flash(request, context, toast);
  return data({ problem: null, saved: result.saved }, { headers });
}

/** Whatever comes instead of an answer, or none: the page stays as it is, with every word in it. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } catch (error) {
    const reason = isLineLost(error) ? formMessages.offline : formMessages.failed;
    const problem = problemOf(error, reason);
    if (!problem) throw error;
    return { problem, saved: null, ...unreachable };
  }
}

/** Without a connection, loading anew would put an error in the place of her words. */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  return !wasUnreachable(args.actionResult) && args.defaultShouldRevalidate;
}

export default function EditLesson({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Edit lesson" noindex />
      <LessonEditor
        key={loaderData.lessonId}
        opened={loaderData}
        problem={actionData?.problem ?? null}
        saved={actionData?.saved ?? null}
      />
    </>
  );
}
