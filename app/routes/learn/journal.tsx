import { data, redirect, type ShouldRevalidateFunctionArgs } from "react-router";
import { authPath } from "~/features/auth/rules.ts";
import {
  journalFormError,
  readJournal,
  refuseJournal,
} from "~/features/journal/answers-form.server.ts";
import { AnswerForm } from "~/features/journal/components/answer-form.tsx";
import { DeleteQuestion } from "~/features/journal/components/delete-question.tsx";
import { DownloadJournal } from "~/features/journal/components/download-journal.tsx";
import { JournalPage } from "~/features/journal/components/journal-page.tsx";
import { OnThisDevice } from "~/features/journal/components/on-this-device.tsx";
import { UnplacedAnswer } from "~/features/journal/components/unplaced-answer.tsx";
import { useUnsentJournalDrafts } from "~/features/journal/components/use-journal-draft.ts";
import {
  deleteFromForm,
  saveAnswerForm,
  submitDraftAsAnswers,
} from "~/features/journal/edit-journal.server.ts";
import { getJournalPage, runningReadings } from "~/features/journal/journal-page.server.ts";
import { journalMessages } from "~/features/journal/journal-page-messages.ts";
import { journalPath } from "~/features/journal/messages.ts";
import { SignedOut } from "~/features/player/components/signed-out.tsx";
import { playerMessages } from "~/features/player/messages.ts";
import { isLineLost } from "~/platform/http/client-action.ts";
import {
  currentUser,
  restoredFormContext,
  servicesOf,
  timeZoneContext,
} from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { readForm } from "~/platform/http/form.ts";
import { unreachable, wasUnreachable } from "~/platform/http/unreachable.ts";
import { statusOf } from "~/platform/utils/errors.ts";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/journal.ts";
import "~/ui/styles/journal/journal.css";

export async function loader({ context, url }: Route.LoaderArgs) {
  const kept = context.get(restoredFormContext);
  if (kept === "alone") return null;
  const viewer = currentUser(context);
  if (!viewer) throw redirect(authPath(url.pathname + url.search));
  const timeZone = context.get(timeZoneContext);
  // Refused text is always shown again: saving has a rate limit of its own.
  const end = kept ? () => {} : runningReadings.begin(viewer.id);
  if (!end) throw data(null, statusOf.unavailable);
  try {
    const journalPage = await getJournalPage(servicesOf(context), {
      userId: viewer.id,
      url,
      timeZone,
    });
    return { journalPage, userId: viewer.id };
  } finally {
    end();
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const services = servicesOf(context);
  const form = await readForm(request);
  const viewer = currentUser(context);
  const intent = form.get("intent");
  if (intent === "delete" || intent === "keep") {
    if (!viewer) throw redirect(authPath(journalPath));
    const act = intent === "keep" ? submitDraftAsAnswers : deleteFromForm;
    const { to, toast } = await act(services, { userId: viewer.id, form });
    return redirectWithToast(to, toast);
  }
  const journal = readJournal(form);
  // Another user may have signed in since in another tab: this text is not theirs.
  if (!viewer || (journal.userId && journal.userId !== viewer.id)) {
    context.set(restoredFormContext, "alone");
    const refused = {
      problem: journalFormError(journal, playerMessages.signedOut, true),
      other: null,
      journal,
    };
    return data(refused, 401);
  }
  context.set(restoredFormContext, "within");
  const refused = refuseJournal(journal, viewer.id);
  if (refused) return data({ ...refused, other: null }, refused.status);
  const isAdded = form.get("choice") === "both";
  const outcome = await saveAnswerForm(services, { userId: viewer.id, url, journal, isAdded });
  if ("to" in outcome) return redirectWithToast(outcome.to, outcome.toast);
  const { status, ...unsaved } = outcome;
  return data({ ...unsaved, journal }, status);
}

/** Whatever comes instead of a response, or none: the page stays, with everything typed in it. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const sent = request.clone();
  try {
    return await serverAction();
  } catch (error) {
    if (error instanceof Response) throw error;
    const isDeletion = (await sent.formData()).get("intent") === "delete";
    const undeleted = isLineLost(error)
      ? journalMessages.deleteOffline
      : journalMessages.deleteFailed;
    const message = isDeletion ? undeleted : journalMessages.offline;
    const failure = { message, texts: [], signedOut: false };
    return { problem: failure, other: null, journal: null, isDeletion, ...unreachable };
  }
}

/** Without a connection, loading again would replace the typed text with an error. */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  return !wasUnreachable(args.actionResult) && args.defaultShouldRevalidate;
}

// Nothing is stored on the device without a user.
const nobody = "";

export default function JournalRoute({ loaderData, actionData }: Route.ComponentProps) {
  const left = useUnsentJournalDrafts(
    loaderData?.journalPage.courses[0]?.slug ?? "journal",
    loaderData?.userId ?? nobody,
  );
  if (!loaderData)
    return <SignedOut problem={actionData?.problem} journal={actionData?.journal ?? null} />;
  const { journalPage, userId } = loaderData;
  const { edit, asking, page, count } = journalPage;
  const isDeletion = actionData && "isDeletion" in actionData && actionData.isDeletion;
  const unsaved = isDeletion ? null : (actionData ?? null);
  return (
    <>
      <PageHead title="My journal" noindex />
      <JournalPage
        journalPage={journalPage}
        edited={
          edit && {
            key: edit.key,
            form: <AnswerForm key={edit.key} edit={edit} userId={userId} unsaved={unsaved} />,
          }
        }
        above={
          <>
            {unsaved && !edit && <UnplacedAnswer unsaved={unsaved} userId={userId} />}
            <OnThisDevice drafts={left} userId={userId} />
          </>
        }
        below={<DownloadJournal hasWords={count.lessons > 0} />}
      />
      {asking && (
        <DeleteQuestion
          asking={asking}
          page={page}
          problem={isDeletion ? actionData.problem.message : null}
        />
      )}
    </>
  );
}
