import { Field } from "~/ui/field.tsx";
import { JournalBox } from "~/ui/journal-box.tsx";
import type { OpenLesson } from "../player/queries.server.ts";
import { LessonNavigation } from "./lesson-navigation.tsx";

/** Below the text of a lesson that an administrator looks at: to be seen, not used. */
export function PreviewLesson({ lesson }: { lesson: OpenLesson }) {
  return (
    <div className="mt-12 grid gap-6">
      {lesson.prompts.map(({ question, placeholder }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two questions may be alike; they never move
        <Field key={index} label={`${index + 1}. ${question}`} prominent>
          <JournalBox placeholder={placeholder} readOnly />
        </Field>
      ))}
      <LessonNavigation previousKey={lesson.previousKey} nextKey={lesson.nextKey} />
    </div>
  );
}
