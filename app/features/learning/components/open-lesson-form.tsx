import type { Problem } from "../player/commands.server.ts";
import type { OpenLesson } from "../player/queries.server.ts";
import { CompletedLesson } from "./completed-lesson.tsx";
import { JournalForm } from "./journal-form.tsx";
import { useLeftBehind } from "./use-draft.ts";

export type OpenLessonProps = {
  slug: string;
  lesson: OpenLesson;
  userId: string;
  newDraftId: string;
  completedIds: string[];
  problem: Problem | null;
};

/** Below the text of an open lesson: its journal, and the way on. */
export function OpenLessonForm(props: OpenLessonProps) {
  useLeftBehind(props.slug, props.userId, props.completedIds);
  return props.lesson.isCompleted ? (
    <CompletedLesson slug={props.slug} lesson={props.lesson} />
  ) : (
    <JournalForm {...props} />
  );
}
