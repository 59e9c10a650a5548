import { useEffect, useState } from "react";
import { Form, Link, useSearchParams } from "react-router";
import { autosaveStatusId } from "~/ui/autosave-status.tsx";
import { Button } from "~/ui/button.tsx";
import { buttonStyles } from "~/ui/button-styles.ts";
import { Field } from "~/ui/field.tsx";
import { JournalBox } from "~/ui/inputs.tsx";
import type { RefusedJournal } from "../answers-form.server.ts";
import type { AnswerConflict } from "../edit-journal.server.ts";
import type { AnswerEdit } from "../journal-page.server.ts";
import { asNewAnswer } from "../journal-page-messages.ts";
import { boxesOf, JournalProblem, useJournalForm } from "./journal-autosave.tsx";
import { SentAnswers } from "./signed-out.tsx";

export type Unsaved = Pick<RefusedJournal, "problem" | "journal"> & {
  other?: AnswerConflict | null;
};
type Props = { edit: AnswerEdit; userId: string; unsaved: Unsaved | null };

/** The box in which an answer is changed. What is typed is autosaved as a draft of the lesson until
 * it is saved; a version from elsewhere stands above it, and is not touched. */
export function AnswerForm({ edit, userId, unsaved }: Props) {
  const { key, slug, lessonId, question, restored, newDraftId } = edit;
  const { problem = null, other = null } = unsaved ?? {};
  const draft = { slug, userId, lessonId, newDraftId, begun: restored ? [restored] : [] };
  const { form, isSending, formProps, fields, status } = useJournalForm(draft, problem);
  useEffect(() => boxesOf(form.current)[0]?.focus({ preventScroll: true }), [form]);

  // Data that is loaded again around the box is of a version that they have not seen.
  const [startedFrom] = useState(edit.version);
  const theirs = other ? other.text : edit.now;
  return (
    <Form
      {...formProps}
      action={`?edit=${key}&version=${other?.version ?? startedFrom}`}
      preventScrollReset
      className="grid grid-cols-1 gap-4 print:hidden"
    >
      {fields}
      <input type="hidden" name="question" value={question} />
      {problem && <JournalProblem problem={problem} tone={other ? "warning" : "destructive"} />}
      {theirs !== null && (
        <section
          aria-label="As it stands now"
          className="max-h-96 overflow-y-auto rounded-control border border-line bg-sunken px-5.5 py-4"
        >
          <p className="book-draft-title">As it stands now</p>
          <div dir="auto" className="book-words written">
            {theirs}
          </div>
        </section>
      )}
      <Field label={question} prominent>
        <JournalBox
          name="answer"
          aria-describedby={autosaveStatusId}
          defaultValue={problem?.texts[0] ?? edit.text}
          readOnly={isSending}
        />
      </Field>
      {status}
      <p className="flex flex-wrap gap-3">
        <Button type="submit" busy={isSending} busyLabel="Saving...">
          {theirs === null ? "Save" : "Save mine instead"}
        </Button>
        {theirs !== null && (
          <Button type="submit" name="choice" value="both" variant="outline">
            Keep both, one after the other
          </Button>
        )}
        <Link
          to={`?lesson=${lessonId}#lesson-${lessonId}`}
          preventScrollReset
          className={buttonStyles({ variant: "ghost" })}
        >
          {theirs === null ? "Close without saving" : "Keep the other one"}
        </Link>
      </p>
    </Form>
  );
}

/** The text for an answer that is not in the journal any more, and whose form is nowhere below. */
export function UnplacedAnswer({ unsaved: { problem, journal } }: { unsaved: Unsaved }) {
  const key = useSearchParams()[0].get("edit") ?? "";
  if (!journal) return null;
  return (
    <Form
      method="post"
      action={`?edit=${key}&version=${asNewAnswer}`}
      encType="multipart/form-data"
      className="mt-8 grid grid-cols-1 gap-4 print:hidden"
    >
      <JournalProblem problem={problem} tone="warning" />
      <SentAnswers journal={journal} />
      <p className="flex flex-wrap gap-3">
        <Button type="submit">Save</Button>
      </p>
    </Form>
  );
}
