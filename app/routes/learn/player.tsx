import { data, redirect } from "react-router";
import { authPath } from "~/features/auth/rules.ts";
import { findCourseAccess } from "~/features/enrollments/access.server.ts";
import { accessMessages } from "~/features/enrollments/messages.ts";
import { everyLessonOpen, opensAt } from "~/features/enrollments/rules.ts";
import { findNearHelp } from "~/features/help/help.server.ts";
import { journalFormError, receiveJournal } from "~/features/journal/answers-form.server.ts";
import { SignedOut } from "~/features/journal/components/signed-out.tsx";
import { completeFromForm } from "~/features/player/complete-lesson.server.ts";
import { PlayerFrame } from "~/features/player/components/player-frame.tsx";
import { PlayerMain } from "~/features/player/components/player-main.tsx";
import { PreviewBanner } from "~/features/player/components/preview.tsx";
import { photographFromForm } from "~/features/player/lesson-photograph.server.ts";
import { completionMessages, playerMessages } from "~/features/player/messages.ts";
import { editionFor } from "~/features/player/playback.server.ts";
import { getPlayer } from "~/features/player/player.server.ts";
import { previewDay } from "~/features/player/rules.ts";
import { findWayOn } from "~/features/redirects/missing-page.server.ts";
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
import { isLineLost, unreachable } from "~/platform/http/unreachable.ts";
import { statusOf } from "~/platform/utils/errors.ts";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/player.ts";
import "~/ui/styles/help.css";
import "~/ui/styles/player/player.css";

export const handle = { hydrate: true, bare: true } satisfies RouteHandle;

// An administrator reads every lesson, or those of a day with `?day=`, and nothing is recorded:
// always when not enrolled, and with `?view=student` when enrolled.
const enrolledFor = (day: number | null, now: Date) =>
  day === null ? everyLessonOpen : opensAt(-day, now);
const noUser = "";
const looksAsStudent = (role: string, url: URL) =>
  role === "admin" && url.searchParams.get("view") === "student";

export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  const viewer = currentUser(context);
  if (context.get(restoredFormContext) === "alone") return null;
  if (!viewer) throw redirect(authPath(url.pathname + url.search));
  const services = servicesOf(context);
  const course = await findCourseAccess(services, { userId: viewer.id, slug: params.slug });
  if (!course)
    throw (
      (await findWayOn({ context, url })) ??
      redirectWithToast("/courses", accessMessages.courseMissing)
    );
  const isPreview =
    looksAsStudent(viewer.role, url) || (!course.enrolledAt && viewer.role === "admin");
  const day = previewDay(url.searchParams.get("day"));
  const enrolledAt = isPreview ? enrolledFor(day, services.clock.now()) : course.enrolledAt;
  if (!enrolledAt)
    throw asDocument(redirectWithToast(`/courses/${course.slug}`, accessMessages.notEnrolled));
  const key = url.searchParams.get("lesson");
  const player = await getPlayer(services, {
    // An enrolled administrator's own progress is not what a student sees.
    userId: isPreview ? noUser : viewer.id,
    course: { ...course, enrolledAt },
    key,
    draftId: url.searchParams.get("draft"),
    timeZone: context.get(timeZoneContext),
    edition: editionFor(request.headers, url),
  });
  const locked = player.lesson?.state === "locked" ? statusOf.locked : 200;
  const status = key !== null && !player.lesson ? statusOf.not_found : locked;
  const preview = isPreview ? { courseId: course.id, day } : null;
  const help = findNearHelp(context.get(timeZoneContext));
  return data({ ...player, preview, help, userId: viewer.id, newDraftId: newId() }, { status });
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const form = await readForm(request);
  const received = receiveJournal(form, currentUser(context));
  if ("refused" in received) {
    const { status, ...unsaved } = received.refused;
    if (unsaved.problem.signedOut) context.set(restoredFormContext, "alone");
    return data(unsaved, status);
  }
  const { journal, viewer } = received;
  const { slug } = params;
  if (looksAsStudent(viewer.role, url)) {
    const problem = journalFormError(journal, completionMessages.previewSend);
    return data({ problem, journal }, statusOf.forbidden);
  }
  const of = { userId: viewer.id, journal, form };
  const photograph = await photographFromForm(servicesOf(context), of);
  if (photograph && "problem" in photograph)
    return data({ problem: photograph.problem, journal }, photograph.status);
  if (photograph?.isAll) {
    const key = url.searchParams.get("lesson");
    const query = key === null ? "" : `?${new URLSearchParams({ lesson: key })}`;
    const to = `/courses/${slug}/learn${query}#photographs-${encodeURIComponent(journal.lessonId)}`;
    return redirectWithToast(to, photograph.toast);
  }
  const result = await completeFromForm(servicesOf(context), { userId: viewer.id, slug, journal });
  if ("to" in result) return redirectWithToast(result.to, result.toast);
  const headers = flash(request, context, playerMessages.completeFailed);
  return data({ problem: result.problem, journal }, { status: result.status, headers });
}

/** Whatever comes instead of a response: the page stays, with everything typed in it. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } catch (error) {
    if (error instanceof Response || isLineLost(error)) throw error;
    document.dispatchEvent(new CustomEvent("toast", { detail: playerMessages.completeFailed }));
    const problem = { message: playerMessages.failed, texts: [], signedOut: false };
    return { problem, journal: null, ...unreachable };
  }
}

export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function PlayerPage({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData)
    return (
      <main id="main" tabIndex={-1}>
        {actionData && <SignedOut {...actionData} />}
      </main>
    );
  const { userId, newDraftId, preview, help, ...player } = loaderData;
  const banner = preview && <PreviewBanner {...preview} modules={player.modules} />;
  return (
    <PlayerFrame player={player} help={help} banner={banner}>
      <PageHead title={`${player.course.title} - Learn`} noindex />
      <PlayerMain
        key={`${userId}:${player.lesson?.id}`}
        player={player}
        isPreview={preview !== null}
        userId={userId}
        newDraftId={newDraftId}
        problem={actionData?.problem ?? null}
      />
    </PlayerFrame>
  );
}

export { PlayerLoadFailed as ErrorBoundary } from "~/features/player/components/player-frame.tsx";
