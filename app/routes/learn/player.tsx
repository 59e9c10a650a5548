import { data, redirect, type ShouldRevalidateFunctionArgs } from "react-router";
import { authPath } from "~/features/auth/rules.ts";
import { findCourseAccess } from "~/features/enrollments/access.server.ts";
import { accessMessages } from "~/features/enrollments/messages.ts";
import {
  journalFormError,
  readJournal,
  refuseJournal,
} from "~/features/journal/answers-form.server.ts";
import { completeFromForm } from "~/features/player/complete-lesson.server.ts";
import { PlayerFrame } from "~/features/player/components/player-frame.tsx";
import { PlayerMain } from "~/features/player/components/player-main.tsx";
import { PreviewBanner } from "~/features/player/components/preview.tsx";
import { SignedOut } from "~/features/player/components/signed-out.tsx";
import { completionMessages, playerMessages } from "~/features/player/messages.ts";
import { getPlayer } from "~/features/player/player.server.ts";
import { newId } from "~/platform/db/ids.ts";
import {
  currentUser,
  restoredFormContext,
  servicesOf,
  timeZoneContext,
} from "~/platform/http/context.ts";
import { asDocument, flash, redirectWithToast } from "~/platform/http/flash.ts";
import { readForm } from "~/platform/http/form.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { unreachable, wasUnreachable } from "~/platform/http/unreachable.ts";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/player.ts";
import "~/ui/styles/player/player.css";

export const handle = { hydrate: true, bare: true } satisfies RouteHandle;

// An administrator reads every lesson, and nothing is recorded (design 6): always when not
// enrolled, and with `?view=student` when enrolled.
const alwaysOpen = new Date(0);
const nobody = "";
const looksAsStudent = (role: string, url: URL) =>
  role === "admin" && url.searchParams.get("view") === "student";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const viewer = currentUser(context);
  if (context.get(restoredFormContext) === "alone") return null;
  if (!viewer) {
    throw redirect(authPath(url.pathname + url.search));
  }
  const services = servicesOf(context);
  const course = await findCourseAccess(services, { userId: viewer.id, slug: params.slug });
  if (!course) throw redirectWithToast("/courses", accessMessages.courseMissing);
  const isPreview =
    looksAsStudent(viewer.role, url) || (!course.enrolledAt && viewer.role === "admin");
  const enrolledAt = isPreview ? alwaysOpen : course.enrolledAt;
  if (!enrolledAt)
    throw asDocument(redirectWithToast(`/courses/${course.slug}`, accessMessages.notEnrolled));
  const player = await getPlayer(services, {
    // An enrolled administrator's own progress is not what a student sees.
    userId: isPreview ? nobody : viewer.id,
    course: { ...course, enrolledAt },
    key: url.searchParams.get("lesson"),
    draftId: url.searchParams.get("draft"),
    timeZone: context.get(timeZoneContext),
  });
  const missing = !player.lesson && url.searchParams.has("lesson");
  const status = missing ? 404 : player.lesson?.state === "locked" ? 403 : 200;
  const previewOf = isPreview ? course.id : null;
  return data({ ...player, previewOf, userId: viewer.id, newDraftId: newId() }, { status });
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const journal = readJournal(await readForm(request));
  const viewer = currentUser(context);
  // Another user may have signed in since in another tab: this text is not theirs.
  if (!viewer || (journal.userId && journal.userId !== viewer.id)) {
    context.set(restoredFormContext, "alone");
    return data(
      { problem: journalFormError(journal, playerMessages.signedOut, true), journal },
      401,
    );
  }
  if (looksAsStudent(viewer.role, url))
    return data(
      { problem: journalFormError(journal, completionMessages.previewSend), journal },
      403,
    );
  const refused = refuseJournal(journal, viewer.id);
  if (refused) return data(refused, refused.status);
  const { slug } = params;
  const result = await completeFromForm(servicesOf(context), { userId: viewer.id, slug, journal });
  if ("savedAt" in result) return redirectWithToast(result.savedAt, result.toast);
  if ("problem" in result) {
    const headers = flash(request, context, playerMessages.completeFailed);
    return data({ problem: result.problem, journal }, { status: result.status, headers });
  }
  const module = result.emailFollows
    ? completionMessages.moduleCompleted
    : completionMessages.moduleCompletedQuietly;
  const toast = result.moduleCompleted ? module : completionMessages.completed;
  const key = result.goOnKey;
  return redirectWithToast(`/courses/${slug}/learn${key ? `?lesson=${key}` : ""}`, toast);
}

/** Whatever comes instead of a response, or none: the page stays, with everything typed in it. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } catch (error) {
    if (error instanceof Response) throw error;
    document.dispatchEvent(new CustomEvent("toast", { detail: playerMessages.completeFailed }));
    const problem = { message: playerMessages.offline, texts: [], signedOut: false };
    return { problem, journal: null, ...unreachable };
  }
}

/** Without a connection, loading again would replace the typed text with an error. */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  return !wasUnreachable(args.actionResult) && args.defaultShouldRevalidate;
}

export default function PlayerPage({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData)
    return (
      <main id="main" tabIndex={-1}>
        <SignedOut problem={actionData?.problem} journal={actionData?.journal ?? null} />
      </main>
    );
  const { userId, newDraftId, previewOf, ...player } = loaderData;
  return (
    <PlayerFrame player={player} banner={previewOf && <PreviewBanner courseId={previewOf} />}>
      <PageHead title={`${player.course.title} - Learn`} noindex />
      <PlayerMain
        key={`${userId}:${player.lesson?.id}`}
        player={player}
        isPreview={previewOf !== null}
        userId={userId}
        newDraftId={newDraftId}
        problem={actionData?.problem ?? null}
      />
    </PlayerFrame>
  );
}

export { PlayerLoadFailed as ErrorBoundary } from "~/features/player/components/load-failed.tsx";
