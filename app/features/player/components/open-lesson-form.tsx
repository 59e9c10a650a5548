import { JournalForm, type JournalProps } from "~/features/journal/components/journal-form.tsx";
import { useUnsentJournalDrafts } from "~/features/journal/components/use-journal-draft.ts";
import { journalPath } from "~/features/journal/messages.ts";
import type { OpenLesson } from "../player.server.ts";
import { CompletedLesson } from "./completed-lesson.tsx";
import { LessonNavigation } from "./lesson-navigation.tsx";

/** Below the text of an open lesson: its journal and the navigation. */
export function OpenLessonForm(
  props: Omit<JournalProps, "onDevice" | "footer" | "lesson"> & { lesson: OpenLesson },
) {
  const left = useUnsentJournalDrafts(props.slug, props.userId);
  const own = left.filter(({ lessonId }) => lessonId === props.lesson.id);
  return props.lesson.isCompleted ? (
    <>
      <CompletedLesson slug={props.slug} lesson={props.lesson} />
      {own.length > 0 && (
        <p className="mt-8 text-sm text-clay">
          Text of yours is saved only on this device.{" "}
          <a href={journalPath}>They are in My journal</a>
        </p>
      )}
    </>
  ) : (
    <JournalForm
      {...props}
      onDevice={own}
      footer={(submit) => (
        <LessonNavigation previousKey={props.lesson.previousKey} nextKey={props.lesson.nextKey}>
          {submit}
        </LessonNavigation>
      )}
    />
  );
}
