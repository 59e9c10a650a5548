import { Field } from "~/ui/field.tsx";
import { JournalBox } from "~/ui/journal-box.tsx";
import { Notice } from "~/ui/notice.tsx";
import type { OpenLesson } from "../player/queries.server.ts";
import { messages } from "../texts.ts";
import { LessonNavigation } from "./lesson-navigation.tsx";

/** Below the text of a lesson, for an administrator who is not enrolled: to be seen, not used. */
export function PreviewLesson({ lesson }: { lesson: OpenLesson }) {
  return (
    <div className="mt-12 grid gap-6">
      <Notice>{messages.preview}</Notice>
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
