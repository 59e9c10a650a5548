import { data, redirect } from "react-router";
import { authPath } from "~/features/auth/rules.ts";
import { findNearHelp } from "~/features/help/help.server.ts";
import { receiveJournal } from "~/features/journal/answers-form.server.ts";
import { DeleteQuestion } from "~/features/journal/components/delete-question.tsx";
import { useUnsentJournalDrafts } from "~/features/journal/components/journal-autosave.tsx";
import { JournalPage } from "~/features/journal/components/journal-page.tsx";
import { SignedOut } from "~/features/journal/components/signed-out.tsx";
import {
  deleteFromForm,
  saveAnswerForm,
  saveDraftAsAnswers,
} from "~/features/journal/edit-journal.server.ts";
import { getJournalPage, runningReadings } from "~/features/journal/journal-page.server.ts";
import { journalMessages } from "~/features/journal/journal-page-messages.ts";
import { journalPath } from "~/features/journal/messages.ts";
import { changePhotographs, sentPhotograph } from "~/features/journal/photographs-form.server.ts";
import type { CurrentUser } from "~/platform/auth/session.ts";
import {
  currentUser,
  restoredFormContext,
  servicesOf,
  timeZoneContext,
} from "~/platform/http/context.ts";
import { redirectWithToast, type Toast } from "~/platform/http/flash.ts";
import { readForm } from "~/platform/http/form.ts";
import type { Services } from "~/platform/http/services.ts";
import { isLineLost, unreachable } from "~/platform/http/unreachable.ts";
import { Refused, statusOf } from "~/platform/utils/errors.ts";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/journal.ts";
import "~/ui/styles/help.css";
import "~/ui/styles/journal/journal.css";

export async function loader({ context, url }: Route.LoaderArgs) {
  const restored = context.get(restoredFormContext);
  if (restored === "alone") return null;
  const viewer = currentUser(context);
  if (!viewer) throw redirect(authPath(url.pathname + url.search));
  const { id: userId } = viewer;
  const timeZone = context.get(timeZoneContext);
  // Refused text is always shown again: saving has a rate limit of its own.
  const end = restored ? () => {} : runningReadings.begin(userId);
  if (!end) throw data(null, statusOf.unavailable);
  try {
    return {
      userId,
      journalPage: await getJournalPage(servicesOf(context), { userId, url, timeZone }),
      help: findNearHelp(timeZone),
    };
  } finally {
    end();
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const services = servicesOf(context);
  const form = await readForm(request);
  const intent = form.get("intent");
  if (intent === "delete" || intent === "keep") {
    const viewer = currentUser(context);
    if (!viewer) throw redirect(authPath(journalPath));
    const act = intent === "keep" ? saveDraftAsAnswers : deleteFromForm;
    const { to, toast } = await act(services, { userId: viewer.id, form });
    return redirectWithToast(to, toast);
  }
  if (intent === "photograph") return addFromForm(services, currentUser(context), form);
  const received = receiveJournal(form, currentUser(context));
  if ("refused" in received) {
    const { status, ...unsaved } = received.refused;
    context.set(restoredFormContext, unsaved.problem.signedOut ? "alone" : "within");
    return data(unsaved, status);
  }
  context.set(restoredFormContext, "within");
  const { journal, viewer } = received;
  const isAdded = form.get("choice") === "both";
  const outcome = await saveAnswerForm(services, { userId: viewer.id, url, journal, isAdded });
  if ("to" in outcome) return redirectWithToast(outcome.to, outcome.toast);
  const { status, ...unsaved } = outcome;
  return data({ ...unsaved, journal }, status);
}

async function addFromForm(services: Services, viewer: CurrentUser | null, form: FormData) {
  if (!viewer) throw redirect(authPath(journalPath));
  const lessonId = String(form.get("lessonId"));
  const anchor = encodeURIComponent(lessonId);
  const to = `${journalPath}?lesson=${anchor}#lesson-${anchor}`;
  const asked = sentPhotograph(form);
  if (!asked) return redirectWithToast(to, null);
  const toast = await changePhotographs(services, { userId: viewer.id, lessonId, asked }).catch(
    (error: unknown): Toast => {
      if (!(error instanceof Refused)) throw error;
      return { title: error.message, tone: "destructive" };
    },
  );
  return redirectWithToast(to, toast);
}

/** Whatever comes instead of a response, or none: the page stays, with everything typed in it. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const sent = request.clone();
  try {
    return await serverAction();
  } catch (error) {
    if (error instanceof Response) throw error;
    const { offline, deleteOffline, deleteFailed } = journalMessages;
    const isDeletion = (await sent.formData()).get("intent") === "delete";
    const undeleted = isLineLost(error) ? deleteOffline : deleteFailed;
    const problem = { message: isDeletion ? undeleted : offline, texts: [], signedOut: false };
    return { problem, journal: null, isDeletion, ...unreachable };
  }
}

export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function JournalRoute({ loaderData, actionData }: Route.ComponentProps) {
  const { journalPage, help, userId } = loaderData ?? {};
  // Nothing is stored on the device without a user.
  const onDevice = useUnsentJournalDrafts(journalPage?.courses[0]?.slug ?? "journal", userId ?? "");
  if (!journalPage || !userId) return actionData && <SignedOut {...actionData} />;
  const isDeletion = actionData && "isDeletion" in actionData && actionData.isDeletion;
  return (
    <>
      <PageHead title="My journal" noindex />
      <JournalPage
        journalPage={journalPage}
        help={help ?? null}
        userId={userId}
        unsaved={isDeletion ? null : (actionData ?? null)}
        onDevice={onDevice}
      />
      {journalPage.asking && (
        <DeleteQuestion
          asking={journalPage.asking}
          page={journalPage.page}
          problem={isDeletion ? actionData.problem.message : null}
        />
      )}
    </>
  );
}
