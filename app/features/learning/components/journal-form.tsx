import { useEffect, useRef, useState } from "react";
import { Form, useNavigation } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { JournalBox } from "~/ui/journal-box.tsx";
import { Notice } from "~/ui/notice.tsx";
import type { Problem } from "../player/commands.server.ts";
import type { OpenLesson } from "../player/queries.server.ts";
import { mergeTexts, placeAnswers } from "../rules.ts";
import type { Answer } from "../schema.ts";
import { DraftOffer } from "./draft-offer.tsx";
import { KeepLine } from "./keep-line.tsx";
import { LessonNavigation } from "./lesson-navigation.tsx";
import { SignInAgain } from "./sign-in-again.tsx";
import { boxesOf, useDraftKeeper } from "./use-draft.ts";

export type JournalProps = {
  slug: string;
  lesson: OpenLesson;
  userId: string;
  /** Names what is typed here, if it does not go on in an older draft. */
  newDraftId: string;
  problem: Problem | null;
};

/** The journal of a lesson that is not completed yet, and the button that completes it. */
export function JournalForm({ slug, lesson, userId, newDraftId, problem }: JournalProps) {
  const form = useRef<HTMLFormElement>(null);
  const { restored } = lesson;
  const [olderIds, setOlderIds] = useState(restored ? [restored.id] : []);
  const { state, draftId, keeper } = useDraftKeeper(form, {
    slug,
    userId,
    lessonId: lesson.id,
    draftId: newDraftId,
    restored,
  });
  useEffect(() => {
    if (problem) keeper.current?.resume();
  }, [problem, keeper]);
  // What is typed while the boxes are on their way would be in neither of them.
  const isSending = useNavigation().formMethod === "POST";

  function restore(older: { id: string; revision: number; answers: Answer[] }) {
    const questions = lesson.prompts.map(({ question }) => question);
    const texts = placeAnswers(questions, older.answers);
    for (const [index, box] of boxesOf(form.current).entries())
      box.value = mergeTexts(texts[index] ?? "", box.value);
    keeper.current?.absorb(older);
    setOlderIds((ids) => [...ids, older.id]);
    boxesOf(form.current)[0]?.focus();
  }

  const texts = problem?.texts.length ? problem.texts : restored?.texts;
  return (
    <Form
      ref={form}
      method="post"
      encType="multipart/form-data"
      onSubmit={() => keeper.current?.submit()}
      className="mt-12"
    >
      <input type="hidden" name="userId" value={userId} />
      <input type="hidden" name="lessonId" value={lesson.id} />
      {[draftId, ...olderIds].map((id) => (
        <input key={id} type="hidden" name="draftId" value={id} />
      ))}
      {lesson.prompts.length > 0 && (
        <section aria-labelledby="prompts-title" className="grid gap-6 border-t border-line pt-8">
          <h2 id="prompts-title" className="text-2xl">
            Journal Prompts for Reflection
          </h2>
          {lesson.drafts
            .filter(({ id }) => id !== draftId && !olderIds.includes(id))
            .map((older) => (
              <DraftOffer key={older.id} draft={older} lessonKey={lesson.key} onRestore={restore} />
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
          <KeepLine state={state} isTold={problem !== null} />
        </section>
      )}
      {problem && (
        <Notice tone="destructive" className="mt-6" live>
          <p>{problem.message}</p>
          {problem.signedOut && <SignInAgain />}
        </Notice>
      )}
      <LessonNavigation previousKey={lesson.previousKey} nextKey={lesson.nextKey}>
        <Button type="submit" busy={isSending} busyLabel="Saving...">
          {lesson.completeModule === "open" ? "Complete Module" : "Mark as Complete"}
        </Button>
      </LessonNavigation>
    </Form>
  );
}
