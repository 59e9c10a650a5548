import { useEffect, useRef, useState } from "react";
import { Form, Link, useNavigation } from "react-router";
import { SignInAgain } from "~/ui/autosave-status.tsx";
import { Button } from "~/ui/button.tsx";
import { buttonStyles } from "~/ui/button-styles.ts";
import { Field } from "~/ui/field.tsx";
import { JournalBox } from "~/ui/journal-box.tsx";
import { Notice } from "~/ui/notice.tsx";
import type { JournalFormError } from "../answers-form.server.ts";
import type { AnswerConflict } from "../edit-journal.server.ts";
import type { AnswerEdit } from "../journal-page.server.ts";
import { asNewAnswer } from "../journal-page-messages.ts";
import { JournalAutosaveStatus } from "./journal-autosave-status.tsx";
import { boxesOf, useJournalAutosave } from "./use-journal-draft.ts";

export type Unsaved = { problem: JournalFormError; other: AnswerConflict | null };
type Props = { edit: AnswerEdit; userId: string; unsaved: Unsaved | null };

/**
 * The box in which an answer is changed. What is typed is kept as a draft of the lesson until it is
 * saved; a version from elsewhere stands above it, and is not touched.
 */
export function AnswerForm({ edit, userId, unsaved }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const own = useRef<HTMLInputElement>(null);
  const { key, slug, lessonId, question, restored, newDraftId } = edit;
  const draft = { slug, userId, lessonId, draftId: newDraftId, restored };
  const { state, draftId, autosave } = useJournalAutosave(form, draft);
  const isSending = useNavigation().formMethod === "POST";
  const problem = unsaved?.problem ?? null;
  const other = unsaved?.other ?? null;
  // It came back, or another click has broken it off.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a quick answer may come before `isSending` is shown
  useEffect(() => {
    if (!isSending) autosave.current?.resume();
  }, [isSending, problem, autosave]);
  useEffect(() => boxesOf(form.current)[0]?.focus({ preventScroll: true }), []);

  // Data that is loaded again around the box is of a version that they have not seen.
  const [startedFrom] = useState(edit.version);
  const version = other ? (other.version ?? asNewAnswer) : startedFrom;
  const theirs = other ? other.text : edit.now;
  const hasOther = theirs !== null;
  return (
    <Form
      ref={form}
      method="post"
      action={`?edit=${key}&version=${version}`}
      encType="multipart/form-data"
      preventScrollReset
      className="notebook-form"
      onSubmit={() => {
        const [sent] = autosave.current?.submit() ?? [];
        if (own.current && sent) own.current.value = `${sent.id}:${sent.revision}`;
      }}
    >
      <input type="hidden" name="userId" value={userId} />
      <input type="hidden" name="lessonId" value={lessonId} />
      <input key={draftId} ref={own} type="hidden" name="draft" defaultValue={`${draftId}:0`} />
      {restored && (
        <input type="hidden" name="draft" value={`${restored.id}:${restored.revision}`} />
      )}
      <input type="hidden" name="question" value={question} />
      {problem && (
        <Notice tone={other ? "warning" : "destructive"} live>
          <p>{problem.message}</p>
          {problem.signedOut && (
            <p className="mt-2">
              <SignInAgain />
            </p>
          )}
        </Notice>
      )}
      {hasOther && (
        <section aria-label="As it stands now" className="notebook-other">
          <p className="book-draft-title">As it stands now</p>
          <div dir="auto" className="book-words written">
            {theirs}
          </div>
        </section>
      )}
      <Field label={question} prominent>
        <JournalBox
          name="answer"
          data-question={question}
          defaultValue={problem?.texts[0] ?? edit.text}
          readOnly={isSending}
        />
      </Field>
      <JournalAutosaveStatus state={state} isReported={problem !== null} />
      <p className="notebook-buttons">
        <Button type="submit" busy={isSending} busyLabel="Saving...">
          {hasOther ? "Save mine instead" : "Save"}
        </Button>
        {hasOther && (
          <Button type="submit" name="choice" value="both" variant="outline">
            Keep both, one after the other
          </Button>
        )}
        <Link
          to={`?lesson=${lessonId}#lesson-${lessonId}`}
          preventScrollReset
          className={buttonStyles({ variant: "ghost" })}
        >
          {hasOther ? "Keep the other one" : "Close without saving"}
        </Link>
      </p>
    </Form>
  );
}
