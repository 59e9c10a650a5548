import { type Ref, useEffect, useRef } from "react";
import { useLocation, useNavigation } from "react-router";
import { draftsText } from "~/features/drafts/rules.ts";
import type { SeenDraft } from "~/features/drafts/schema.ts";
import { createDevice, type DraftState, type SendResult, sendDraft } from "~/ui/autosave.ts";
import { type AutosaveMessages, AutosaveStatus, SignInAgain } from "~/ui/autosave-status.tsx";
import { Notice } from "~/ui/notice.tsx";
import { useAutosave, useUnsentDrafts } from "~/ui/use-autosave.ts";
import type { JournalFormError, SentJournal } from "../answers-form.server.ts";
import { journalPath } from "../messages.ts";
import type { Answer } from "../schema.ts";

/** A draft of a journal in this browser, until the server has it. */
export type LocalDraft = DraftState & { lessonId: string; answers: Answer[] };

export const journalDevice = createDevice<LocalDraft>({
  name: "draft",
  isItem: (value): value is LocalDraft =>
    Array.isArray((value as Partial<LocalDraft> | null)?.answers),
  idOf: ({ draftId }) => draftId,
  countOf: ({ revision }) => revision,
});

function sendJournalDraft(
  { slug, userId }: { slug: string; userId: string },
  draft: LocalDraft,
  isBeingDeleted = false,
): Promise<SendResult> {
  return sendDraft(`/courses/${slug}/learn/draft`, { userId, ...draft }, isBeingDeleted);
}

export function useUnsentJournalDrafts(slug: string, userId: string): LocalDraft[] {
  return useUnsentDrafts(userId, journalDevice, (draft) =>
    sendJournalDraft({ slug, userId }, draft),
  );
}

export function boxesOf(form: HTMLFormElement | null): HTMLTextAreaElement[] {
  return [...(form?.querySelectorAll<HTMLTextAreaElement>('textarea[name="answer"]') ?? [])];
}

type FormDraft = {
  slug: string;
  userId: string;
  lessonId: string;
  /** Names what is typed on this page. */
  newDraftId: string;
  /** Older drafts whose text is in the boxes from the beginning. */
  begun: SeenDraft[];
};

/** A form whose answers are autosaved, in a lesson and on the journal page. */
export function useJournalForm(
  { slug, userId, lessonId, newDraftId, begun }: FormDraft,
  problem: JournalFormError | null,
) {
  const form = useRef<HTMLFormElement>(null);
  const drafts = useRef<HTMLInputElement>(null);
  // A refused form names its own: its text may be without a newer draft.
  const older = problem?.texts.length && problem.drafts ? problem.drafts : begun;
  const { state, draftId, autosave } = useAutosave<LocalDraft>(form, {
    userId,
    draftId: newDraftId,
    absorbed: older,
    device: journalDevice,
    read: (element, now) => ({ lessonId, ...now, answers: answersIn(element) }),
    send: (draft, isBeingDeleted) => sendJournalDraft({ slug, userId }, draft, isBeingDeleted),
  });
  // Text typed while the form is being sent would be in neither version.
  const isSending = useNavigation().formMethod === "POST";
  const { key } = useLocation();
  // It was refused or not sent, or another click has broken it off.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a quick answer may come before `isSending` is shown
  useEffect(() => {
    if (!isSending) autosave.current?.resume();
  }, [isSending, problem, key, autosave]);
  return {
    form,
    state,
    draftId,
    autosave,
    isSending,
    formProps: {
      ref: form,
      method: "post",
      encType: "multipart/form-data",
      onSubmit() {
        if (drafts.current) drafts.current.value = draftsText(autosave.current?.submit() ?? []);
      },
    } as const,
    fields: (
      <JournalFields
        ref={drafts}
        userId={userId}
        lessonId={lessonId}
        drafts={[{ id: newDraftId, revision: 0 }, ...older]}
      />
    ),
    status: (
      <AutosaveStatus
        state={state}
        messages={messages}
        isReported={problem !== null}
        whenFull={<FreeUpSpace />}
      />
    ),
  };
}

/** Each answer with the question before it in the form. */
function answersIn(form: HTMLFormElement | null): Answer[] {
  const data = new FormData(form ?? undefined);
  const questions = data.getAll("question");
  return data
    .getAll("answer")
    .map((answer, index) => ({ question: String(questions[index]), answer: String(answer) }));
}

type FieldsProps = Pick<SentJournal, "userId" | "lessonId" | "drafts"> & {
  ref?: Ref<HTMLInputElement>;
};

/** The hidden fields of a form of answers; `ref` is the one that names its drafts. */
export function JournalFields({ userId, lessonId, drafts, ref }: FieldsProps) {
  return (
    <>
      <input type="hidden" name="userId" value={userId} />
      <input type="hidden" name="lessonId" value={lessonId} />
      <input ref={ref} type="hidden" name="drafts" defaultValue={draftsText(drafts)} />
    </>
  );
}

type ProblemProps = {
  problem: JournalFormError;
  tone?: "warning" | "destructive";
  className?: string;
};

export function JournalProblem({ problem, tone = "destructive", className = "" }: ProblemProps) {
  return (
    // biome-ignore lint/a11y/noAutofocus: without scripts the answer is a new page, which begins here
    <div tabIndex={-1} autoFocus className={`rounded-control ${className}`}>
      <Notice tone={tone} live>
        <p>{problem.message}</p>
        {problem.signedOut && (
          <p className="mt-2">
            <SignInAgain />
          </p>
        )}
      </Notice>
    </div>
  );
}

const messages: AutosaveMessages = {
  writing: "",
  saved: "What you wrote is saved as a draft. Only you can see it.",
  "only-here":
    "What you wrote could not be saved, and this browser keeps nothing. It is only in this page: please copy it to a safe place.",
  unreachable:
    "The site cannot be reached just now. What you wrote is saved on this device, for about a week.",
  full: "Your journal has used all of its storage. What you wrote is saved on this device, for about a week.",
  refused:
    "This draft could not be saved on the site. It is saved on this device, for about a week; please copy what matters to a safe place.",
  "signed-out":
    "You have been signed out. What you wrote is saved on this device, for about a week.",
};

/** In a new tab, so that the answers in this one stay. */
export function FreeUpSpace() {
  return (
    <a href={journalPath} target="_blank" rel="noreferrer">
      Free up space in My journal
    </a>
  );
}
