import { data, redirect, type ShouldRevalidateFunctionArgs } from "react-router";
import { authPath } from "~/features/accounts/rules.ts";
import { PlayerFrame } from "~/features/learning/components/player-frame.tsx";
import { PlayerMain } from "~/features/learning/components/player-main.tsx";
import { PreviewBanner } from "~/features/learning/components/preview-banner.tsx";
import { SignedOut } from "~/features/learning/components/signed-out.tsx";
import {
  completeFromForm,
  problem,
  readJournal,
  refuseJournal,
} from "~/features/learning/player/commands.server.ts";
import { getPlayer } from "~/features/learning/player/queries.server.ts";
import { findSeat } from "~/features/learning/queries.server.ts";
import { messages, outcomes } from "~/features/learning/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { newId } from "~/platform/db/ids.ts";
import { keptFormContext, servicesOf, timeZoneContext, viewerOf } from "~/platform/http/context.ts";
import { asDocument, flash, redirectWithToast } from "~/platform/http/flash.ts";
import { readForm } from "~/platform/http/form.ts";
import { unreachable, wasUnreachable } from "~/platform/http/unreachable.ts";
import type { Route } from "./+types/player.ts";
import "~/ui/styles/player/player.css";

export const handle = { hydrate: true, bare: true };

/**
 * An administrator reads every lesson, and nothing is recorded (design 6): always when she is not
 * enrolled, and with `?view=student` when she is.
 */
const alwaysOpen = new Date(0);
const nobody = "";
const looksAsStudent = (role: string, url: URL) =>
  role === "admin" && url.searchParams.get("view") === "student";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const viewer = viewerOf(context);
  if (context.get(keptFormContext) === "alone") return null;
  if (!viewer) {
    throw redirect(authPath(url.pathname + url.search));
  }
  const services = servicesOf(context);
  const course = await findSeat(services, { userId: viewer.id, slug: params.slug });
  if (!course) throw redirectWithToast("/courses", outcomes.courseMissing);
  const isPreview =
    looksAsStudent(viewer.role, url) || (!course.enrolledAt && viewer.role === "admin");
  const enrolledAt = isPreview ? alwaysOpen : course.enrolledAt;
  if (!enrolledAt)
    throw asDocument(redirectWithToast(`/courses/${course.slug}`, outcomes.notEnrolled));
  const player = await getPlayer(services, {
    // What she did herself, if she is enrolled too, is not what a student sees.
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
  const viewer = viewerOf(context);
  // Somebody else may have signed in since in another tab: these words are not hers.
  if (!viewer || (journal.userId && journal.userId !== viewer.id)) {
    context.set(keptFormContext, "alone");
    return data({ problem: problem(journal, messages.signedOut, true), journal }, 401);
  }
  if (looksAsStudent(viewer.role, url))
    return data({ problem: problem(journal, outcomes.previewSend), journal }, 403);
  const refused = refuseJournal(journal, viewer.id);
  if (refused) return data(refused, refused.status);
  const { slug } = params;
  const result = await completeFromForm(servicesOf(context), { userId: viewer.id, slug, journal });
  if ("keptAt" in result) return redirectWithToast(result.keptAt, result.toast);
  if ("problem" in result) {
    const headers = flash(request, context, messages.completeFailed);
    return data({ problem: result.problem, journal }, { status: result.status, headers });
  }
  const module = result.letterComes ? outcomes.moduleCompleted : outcomes.moduleCompletedQuietly;
  const toast = result.moduleCompleted ? module : outcomes.completed;
  const key = result.goOnKey;
  return redirectWithToast(`/courses/${slug}/learn${key ? `?lesson=${key}` : ""}`, toast);
}

/** Whatever comes instead of an answer, or none: the page stays as it is, with every word in it. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } catch (error) {
    if (error instanceof Response) throw error;
    document.dispatchEvent(new CustomEvent("toast", { detail: messages.completeFailed }));
    const problem = { message: messages.offline, texts: [], signedOut: false };
    return { problem, journal: null, ...unreachable };
  }
}

/** Without a connection, loading anew would put an error in the place of her words. */
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

export { LoadFailed as ErrorBoundary } from "~/features/learning/components/load-failed.tsx";
