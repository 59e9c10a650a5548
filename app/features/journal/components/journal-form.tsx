import { type ReactNode, useState } from "react";
import { Form } from "react-router";
import type { SeenDraft } from "~/features/drafts/schema.ts";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { JournalBox } from "~/ui/inputs.tsx";
import type { JournalFormError } from "../answers-form.server.ts";
import { nearlyFull } from "../messages.ts";
import { mergeTexts, placeAnswers } from "../place-answers.ts";
import type { Answer, JournalFormLesson } from "../schema.ts";
import { DeviceOffer, DraftOffer } from "./draft-offer.tsx";
import {
  boxesOf,
  FreeUpSpace,
  JournalProblem,
  journalDevice,
  type LocalDraft,
  useJournalForm,
} from "./journal-autosave.tsx";

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
  const { restored, prompts } = lesson;
  const { form, state, draftId, autosave, isSending, formProps, fields, status } = useJournalForm(
    { slug, userId, lessonId: lesson.id, newDraftId, restored },
    problem,
  );
  const [taken, setTaken] = useState<string[]>([]);

  function restore(draft: SeenDraft & { answers: Answer[] }, absorbed: SeenDraft[] = []) {
    const newer = journalDevice.newer(userId, draft.id, draft.revision);
    if (newer) return restore({ ...newer, id: draft.id }, newer.absorbed);
    const questions = prompts.map(({ question }) => question);
    const texts = placeAnswers(questions, draft.answers);
    for (const [index, box] of boxesOf(form.current).entries())
      box.value = mergeTexts(texts[index] ?? "", box.value);
    autosave.current?.absorb(draft, absorbed);
    setTaken((ids) => [...ids, draft.id, ...absorbed.map(({ id }) => id)]);
    boxesOf(form.current)[0]?.focus();
  }

  const isOffered = (id: string) => id !== draftId && id !== restored?.id && !taken.includes(id);
  const texts = problem?.texts.length ? problem.texts : restored?.texts;
  return (
    <Form {...formProps} data-repeat="" className="mt-12">
      {fields}
      {prompts.length > 0 && (
        <section aria-labelledby="prompts-title" className="grid gap-6 border-t border-line pt-8">
          <h2 id="prompts-title" className="text-2xl">
            Journal Prompts for Reflection
          </h2>
          {lesson.drafts
            .filter(({ id }) => isOffered(id))
            .map((draft) => (
              <DraftOffer
                key={draft.id}
                draft={draft}
                lessonKey={lesson.key}
                onRestore={() => restore(draft)}
              />
            ))}
          {onDevice
            .filter((draft) => isOffered(draft.draftId))
            .map(({ draftId: id, revision, answers, absorbed }) => (
              <DeviceOffer
                key={id}
                onRestore={() => restore({ id, revision, answers }, absorbed)}
              />
            ))}
          {prompts.map(({ question, placeholder }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two questions may be alike; they never move
            <Field key={index} label={`${index + 1}. ${question}`} prominent>
              <input type="hidden" name="question" value={question} />
              <JournalBox
                name="answer"
                placeholder={placeholder}
                defaultValue={texts?.[index]}
                readOnly={isSending}
              />
            </Field>
          ))}
          {status}
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
  );
}
