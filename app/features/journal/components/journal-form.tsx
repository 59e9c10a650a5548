import { type ReactNode, useState } from "react";
import { Form } from "react-router";
import { autosaveStatusId } from "~/ui/autosave-status.tsx";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { JournalBox } from "~/ui/inputs.tsx";
import type { JournalFormError } from "../answers-form.server.ts";
import { nearlyFull } from "../messages.ts";
import { placeAnswers } from "../place-answers.ts";
import type { JournalFormLesson } from "../schema.ts";
import { DiscardForm, OtherDrafts, RestoredDraft } from "./draft-offer.tsx";
import {
  FreeUpSpace,
  JournalProblem,
  type LocalDraft,
  useJournalForm,
} from "./journal-autosave.tsx";
import { LessonPhotographs } from "./lesson-photographs.tsx";
import { useLessonDrafts } from "./use-lesson-drafts.ts";

type JournalProps = {
  slug: string;
  lesson: JournalFormLesson;
  userId: string;
  /** Names what is typed here, if it does not go on in an older draft. */
  newDraftId: string;
  problem: JournalFormError | null;
  /** Text of this lesson that the server did not take. */
  onDevice: LocalDraft[];
  /** What stands below the boxes, around the button that sends them. */
  footer: (submit: ReactNode) => ReactNode;
};

/** The journal of a lesson that is not completed yet, and the button that completes it. */
export function JournalForm(props: JournalProps) {
  const { slug, lesson, userId, newDraftId, problem, onDevice, footer } = props;
  const { prompts } = lesson;
  const isRefused = Boolean(problem?.texts.length);
  const [first] = useState(isRefused || prompts.length === 0 ? null : (lesson.drafts[0] ?? null));
  const { form, state, draftId, autosave, isSending, formProps, fields, status } = useJournalForm(
    { slug, userId, lessonId: lesson.id, newDraftId, begun: first ? [first] : [] },
    problem,
  );
  const { shown, others, open, empty, discard } = useLessonDrafts({
    ...{ slug, userId, lesson, form, autosave, first, isRefused, onDevice },
  });
  const isInBoxes = (id: string) =>
    id === draftId || (isRefused && problem?.drafts?.some((draft) => draft.id === id));
  const questions = prompts.map(({ question }) => question);
  const texts = isRefused ? problem?.texts : shown && placeAnswers(questions, shown.answers);
  return (
    <>
      <Form {...formProps} data-repeat="" className="mt-12">
        {fields}
        {prompts.length + lesson.photographs.length > 0 && (
          <section aria-labelledby="prompts-title" className="grid gap-6 border-t border-line pt-8">
            <h2 id="prompts-title" className="text-2xl">
              Journal Prompts for Reflection
            </h2>
            {shown && <RestoredDraft draft={shown} onDiscard={empty} />}
            <OtherDrafts
              drafts={others.filter(({ id }) => !isInBoxes(id))}
              lessonKey={lesson.key}
              onOpen={open}
              onDiscard={discard}
            />
            {prompts.map(({ question, placeholder }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two questions may be alike; they never move
              <Field key={index} label={`${index + 1}. ${question}`} prominent>
                <input type="hidden" name="question" value={question} />
                <JournalBox
                  name="answer"
                  aria-describedby={autosaveStatusId}
                  placeholder={placeholder}
                  defaultValue={texts?.[index]}
                  readOnly={isSending}
                />
              </Field>
            ))}
            {status}
            <LessonPhotographs
              userId={userId}
              lessonId={lesson.id}
              photographs={lesson.photographs}
              html={lesson.photographsHtml}
            />
            {state !== "full" && lesson.room !== null && (
              <p className="text-sm text-ink-soft">
                {nearlyFull(lesson.room)} <FreeUpSpace />
              </p>
            )}
          </section>
        )}
        {problem && <JournalProblem problem={problem} className="mt-6" />}
        {footer(
          <Button type="submit" busy={isSending} busyLabel="Saving...">
            {lesson.completeModule === "open" ? "Complete Module" : "Mark as Complete"}
          </Button>,
        )}
      </Form>
      <DiscardForm slug={slug} />
    </>
  );
}
