import { CompletedLesson } from "./completed-lesson.tsx";
import { JournalForm, type JournalProps } from "./journal-form.tsx";
import { useLeftBehind } from "./use-draft.ts";

/** Below the text of an open lesson: its journal, and the way on. */
export function OpenLessonForm(props: JournalProps) {
  useLeftBehind(props.slug, props.userId);
  return props.lesson.isCompleted ? (
    <CompletedLesson slug={props.slug} lesson={props.lesson} />
  ) : (
    <JournalForm {...props} />
  );
}
