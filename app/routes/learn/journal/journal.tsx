import { data, redirect, type ShouldRevalidateFunctionArgs } from "react-router";
import { authPath } from "~/features/accounts/rules.ts";
import { OnThisDevice } from "~/features/learning/components/on-this-device.tsx";
import { SignedOut } from "~/features/learning/components/signed-out.tsx";
import { useLeftBehind } from "~/features/learning/components/use-draft.ts";
import { journalTexts } from "~/features/learning/journal/texts.ts";
import {
  deleteFromForm,
  keepFromForm,
  saveFromForm,
} from "~/features/learning/notebook/commands.server.ts";
import { AnswerForm } from "~/features/learning/notebook/components/answer-form.tsx";
import { DeleteQuestion } from "~/features/learning/notebook/components/delete-question.tsx";
import { KeepAll } from "~/features/learning/notebook/components/keep-all.tsx";
import { NotebookPage } from "~/features/learning/notebook/components/notebook-page.tsx";
import { StrayWords } from "~/features/learning/notebook/components/stray-words.tsx";
import { getNotebook, readings } from "~/features/learning/notebook/queries.server.ts";
import { journalPath } from "~/features/learning/notebook/texts.ts";
import { problem, readJournal, refuseJournal } from "~/features/learning/player/commands.server.ts";
import { messages } from "~/features/learning/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { isLineLost } from "~/platform/http/client-action.ts";
import { keptFormContext, servicesOf, timeZoneContext, viewerOf } from "~/platform/http/context.ts";
import { statusOf } from "~/platform/http/errors.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { readForm } from "~/platform/http/form.ts";
import { unreachable, wasUnreachable } from "~/platform/http/unreachable.ts";
import type { Route } from "./+types/journal.ts";
import "~/ui/styles/journal/journal.css";

export async function loader({ context, url }: Route.LoaderArgs) {
  const kept = context.get(keptFormContext);
  if (kept === "alone") return null;
  const viewer = viewerOf(context);
  if (!viewer) throw redirect(authPath(url.pathname + url.search));
  const timeZone = context.get(timeZoneContext);
  // What was refused is shown again in any case: how often she saves has a bound of its own.
  const end = kept ? () => {} : readings.begin(viewer.id);
  if (!end) throw data(null, statusOf.unavailable);
  try {
    const notebook = await getNotebook(servicesOf(context), { userId: viewer.id, url, timeZone });
    return { notebook, userId: viewer.id };
  } finally {
    end();
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const services = servicesOf(context);
  const form = await readForm(request);
  const viewer = viewerOf(context);
  const intent = form.get("intent");
  if (intent === "delete" || intent === "keep") {
    if (!viewer) throw redirect(authPath(journalPath));
    const act = intent === "keep" ? keepFromForm : deleteFromForm;
    const { to, toast } = await act(services, { userId: viewer.id, form });
    return redirectWithToast(to, toast);
  }
  const journal = readJournal(form);
  // Somebody else may have signed in since in another tab: these words are not hers.
  if (!viewer || (journal.userId && journal.userId !== viewer.id)) {
    context.set(keptFormContext, "alone");
    const refused = { problem: problem(journal, messages.signedOut, true), other: null, journal };
    return data(refused, 401);
  }
  context.set(keptFormContext, "within");
  const refused = refuseJournal(journal, viewer.id);
  if (refused) return data({ ...refused, other: null }, refused.status);
  const isAdded = form.get("choice") === "both";
  const outcome = await saveFromForm(services, { userId: viewer.id, url, journal, isAdded });
  if ("to" in outcome) return redirectWithToast(outcome.to, outcome.toast);
  const { status, ...unsaved } = outcome;
  return data({ ...unsaved, journal }, status);
}

/** Whatever comes instead of an answer, or none: the page stays as it is, with every word in it. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const sent = request.clone();
  try {
    return await serverAction();
  } catch (error) {
    if (error instanceof Response) throw error;
    const isDeletion = (await sent.formData()).get("intent") === "delete";
    const undeleted = isLineLost(error) ? journalTexts.deleteOffline : journalTexts.deleteFailed;
    const message = isDeletion ? undeleted : journalTexts.offline;
    const told = { message, texts: [], signedOut: false };
    return { problem: told, other: null, journal: null, isDeletion, ...unreachable };
  }
}

/** Without a connection, loading anew would put an error in the place of her words. */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  return !wasUnreachable(args.actionResult) && args.defaultShouldRevalidate;
}

/** Nothing is kept on a device for nobody. */
const nobody = "";

export default function JournalPage({ loaderData, actionData }: Route.ComponentProps) {
  const left = useLeftBehind(
    loaderData?.notebook.courses[0]?.slug ?? "journal",
    loaderData?.userId ?? nobody,
  );
  if (!loaderData)
    return <SignedOut problem={actionData?.problem} journal={actionData?.journal ?? null} />;
  const { notebook, userId } = loaderData;
  const { edit, asking, page, count } = notebook;
  const isDeletion = actionData && "isDeletion" in actionData && actionData.isDeletion;
  const unsaved = isDeletion ? null : (actionData ?? null);
  return (
    <>
      <PageHead title="My journal" noindex />
      <NotebookPage
        notebook={notebook}
        edited={
          edit && {
            key: edit.key,
            form: <AnswerForm key={edit.key} edit={edit} userId={userId} unsaved={unsaved} />,
          }
        }
        above={
          <>
            {unsaved && !edit && <StrayWords unsaved={unsaved} userId={userId} />}
            <OnThisDevice drafts={left} userId={userId} />
          </>
        }
        below={<KeepAll hasWords={count.lessons > 0} />}
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
