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
  // Every answer of the server names a new draft; what is typed here goes on in the first.
  const [draft] = useState(lesson.restored ?? { id: newDraftId, revision: 0 });
  const [draftId, setDraftId] = useState(draft.id);
  const { state, keeper } = useDraftKeeper(form, {
    slug,
    userId,
    lessonId: lesson.id,
    draftId: draft.id,
    revision: draft.revision,
  });
  useEffect(() => {
    if (problem) keeper.current?.resume();
  }, [problem, keeper]);

  function restore(older: { id: string; revision: number; answers: Answer[] }) {
    const texts = placeAnswers(
      lesson.prompts.map(({ question }) => question),
      older.answers,
    );
    for (const [index, box] of boxesOf(form.current).entries())
      box.value = mergeTexts(texts[index] ?? "", box.value);
    keeper.current?.adopt(older);
    setDraftId(older.id);
    boxesOf(form.current)[0]?.focus();
  }

  const texts = problem?.texts.length ? problem.texts : lesson.restored?.texts;
  return (
    <Form
      ref={form}
      method="post"
      encType="multipart/form-data"
      onSubmit={() => keeper.current?.submit()}
      className="mt-12"
    >
      <input type="hidden" name="lessonId" value={lesson.id} />
      <input type="hidden" name="draftId" value={draftId} />
      {lesson.prompts.length > 0 && (
        <section aria-labelledby="prompts-title" className="grid gap-6 border-t border-line pt-8">
          <h2 id="prompts-title" className="text-2xl">
            Journal Prompts for Reflection
          </h2>
          {lesson.drafts
            .filter(({ id }) => id !== draftId)
            .map((older) => (
              <DraftOffer key={older.id} draft={older} lessonKey={lesson.key} onRestore={restore} />
            ))}
          {lesson.prompts.map(({ question, placeholder }, index) => (
            <Field key={question} label={`${index + 1}. ${question}`} prominent>
              <input type="hidden" name="question" value={question} />
              <JournalBox
                name="answer"
                data-question={question}
                placeholder={placeholder}
                defaultValue={texts?.[index]}
              />
            </Field>
          ))}
          <KeepLine state={state} />
        </section>
      )}
      {problem && (
        <Notice tone="destructive" className="mt-6" live>
          <p>{problem.message}</p>
          {problem.signedOut && <SignInAgain />}
        </Notice>
      )}
      <LessonNavigation previousKey={lesson.previousKey} nextKey={lesson.nextKey}>
        <CompleteButton isLast={lesson.completeModule === "open"} />
      </LessonNavigation>
    </Form>
  );
}

function CompleteButton({ isLast }: { isLast: boolean }) {
  const busy = useNavigation().formMethod === "POST";
  return (
    <Button type="submit" busy={busy} busyLabel="Saving...">
      {isLast ? "Complete Module" : "Mark as Complete"}
    </Button>
  );
}
