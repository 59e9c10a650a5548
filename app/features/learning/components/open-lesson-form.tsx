import { journalPath } from "../notebook/texts.ts";
import { CompletedLesson } from "./completed-lesson.tsx";
import { JournalForm, type JournalProps } from "./journal-form.tsx";
import { useLeftBehind } from "./use-draft.ts";

/** Below the text of an open lesson: its journal, and the way on. */
export function OpenLessonForm(props: Omit<JournalProps, "onDevice">) {
  const left = useLeftBehind(props.slug, props.userId);
  const own = left.filter(({ lessonId }) => lessonId === props.lesson.id);
  return props.lesson.isCompleted ? (
    <>
      <CompletedLesson slug={props.slug} lesson={props.lesson} />
      {own.length > 0 && (
        <p className="mt-8 text-sm text-clay">
          Words of yours are kept only on this device.{" "}
          <a href={journalPath}>They are in My journal</a>
        </p>
      )}
    </>
  ) : (
    <JournalForm {...props} onDevice={own} />
  );
}
