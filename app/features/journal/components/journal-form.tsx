import { type ReactNode, useEffect, useRef, useState } from "react";
import { Form, useNavigation } from "react-router";
import type { SeenDraft } from "~/features/drafts/schema.ts";
import { SignInAgain } from "~/ui/autosave-status.tsx";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { JournalBox } from "~/ui/journal-box.tsx";
import { Notice } from "~/ui/notice.tsx";
import type { JournalFormError } from "../answers-form.server.ts";
import { nearlyFull } from "../messages.ts";
import { mergeTexts, placeAnswers } from "../place-answers.ts";
import type { Answer, JournalFormLesson } from "../schema.ts";
import { DeviceOffer, DraftOffer } from "./draft-offer.tsx";
import { FreeUpSpace, JournalAutosaveStatus } from "./journal-autosave-status.tsx";
import { boxesOf, type LocalDraft, useJournalAutosave } from "./use-journal-draft.ts";

/** One quiet line while the room for words comes to its end; nothing before. */
export function StorageLine({ percent }: { percent: number | null }) {
  if (percent === null) return null;
  return (
    <p className="text-sm text-ink-soft">
      {nearlyFull(percent)} <FreeUpSpace />
    </p>
  );
}

export type JournalProps = {
  slug: string;
  lesson: JournalFormLesson;
  userId: string;
  /** Names what is typed here, if it does not go on in an older draft. */
  newDraftId: string;
  problem: JournalFormError | null;
  /** Words of this lesson that the server did not take. */
  onDevice: LocalDraft[];
  /** What stands below the boxes, around the button that sends them. */
  footer: (submit: ReactNode) => ReactNode;
};

/** The journal of a lesson that is not completed yet, and the button that completes it. */
export function JournalForm({
  slug,
  lesson,
  userId,
  newDraftId,
  problem,
  onDevice,
  footer,
}: JournalProps) {
  const form = useRef<HTMLFormElement>(null);
  const { restored } = lesson;
  const own = useRef<HTMLInputElement>(null);
  const [older, setOlder] = useState<SeenDraft[]>(restored ? [restored] : []);
  const { state, draftId, autosave } = useJournalAutosave(form, {
    slug,
    userId,
    lessonId: lesson.id,
    draftId: newDraftId,
    restored,
  });
  // What is typed while the boxes are on their way would be in neither of them.
  const isSending = useNavigation().formMethod === "POST";
  // They came back, or another click has broken it off.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a quick answer may come before `isSending` is shown
  useEffect(() => {
    if (!isSending) autosave.current?.resume();
  }, [isSending, problem, autosave]);

  function restore(draft: SeenDraft & { answers: Answer[] }, absorbed: SeenDraft[] = []) {
    const questions = lesson.prompts.map(({ question }) => question);
    const texts = placeAnswers(questions, draft.answers);
    for (const [index, box] of boxesOf(form.current).entries())
      box.value = mergeTexts(texts[index] ?? "", box.value);
    autosave.current?.absorb(draft, absorbed);
    setOlder((drafts) => [...drafts, draft, ...absorbed]);
    boxesOf(form.current)[0]?.focus();
  }

  const texts = problem?.texts.length ? problem.texts : restored?.texts;
  return (
    <Form
      ref={form}
      method="post"
      encType="multipart/form-data"
      onSubmit={() => {
        const [sent] = autosave.current?.submit() ?? [];
        if (own.current && sent) own.current.value = `${sent.id}:${sent.revision}`;
      }}
      className="mt-12"
    >
      <input type="hidden" name="userId" value={userId} />
      <input type="hidden" name="lessonId" value={lesson.id} />
      <input key={draftId} ref={own} type="hidden" name="draft" defaultValue={`${draftId}:0`} />
      {older.map(({ id, revision }) => (
        <input key={id} type="hidden" name="draft" value={`${id}:${revision}`} />
      ))}
      {lesson.prompts.length > 0 && (
        <section aria-labelledby="prompts-title" className="grid gap-6 border-t border-line pt-8">
          <h2 id="prompts-title" className="text-2xl">
            Journal Prompts for Reflection
          </h2>
          {lesson.drafts
            .filter(({ id }) => id !== draftId && !older.some((known) => known.id === id))
            .map((draft) => (
              <DraftOffer key={draft.id} draft={draft} lessonKey={lesson.key} onRestore={restore} />
            ))}
          {onDevice
            .filter(({ draftId: id }) => id !== draftId && !older.some((known) => known.id === id))
            .map(({ draftId: id, revision, answers, absorbed }) => (
              <DeviceOffer
                key={id}
                onRestore={() => restore({ id, revision, answers }, absorbed)}
              />
            ))}
          {lesson.prompts.map(({ question, placeholder }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two questions may be alike; they never move
            <Field key={index} label={`${index + 1}. ${question}`} prominent>
              <input type="hidden" name="question" value={question} />
              <JournalBox
                name="answer"
                data-question={question}
                placeholder={placeholder}
                defaultValue={texts?.[index]}
                readOnly={isSending}
              />
            </Field>
          ))}
          <JournalAutosaveStatus state={state} isReported={problem !== null} />
          {state !== "full" && <StorageLine percent={lesson.room} />}
        </section>
      )}
      {problem && (
        <Notice tone="destructive" className="mt-6" live>
          <p>{problem.message}</p>
          {problem.signedOut && (
            <p className="mt-2">
              <SignInAgain />
            </p>
          )}
        </Notice>
      )}
      {footer(
        <Button type="submit" busy={isSending} busyLabel="Saving...">
          {lesson.completeModule === "open" ? "Complete Module" : "Mark as Complete"}
        </Button>,
      )}
    </Form>
  );
}
