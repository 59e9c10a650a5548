import { Field } from "~/ui/field.tsx";
import { JournalBox } from "~/ui/journal-box.tsx";
import { playerMessages } from "../messages.ts";
import type { OpenLesson } from "../player.server.ts";
import { LessonNavigation } from "./lesson-navigation.tsx";

/** Above everything in an administrator's preview: what this is, and the link back. */
export function PreviewBanner({ courseId }: { courseId: string }) {
  return (
    <aside aria-label="Preview" className="on-deep">
      <div className="page page-full flex min-h-11 flex-wrap items-center gap-x-6 text-sm">
        <p className="py-2">{playerMessages.preview}</p>
        <a
          href={`/admin/courses/${courseId}`}
          className="ms-auto inline-flex min-h-11 items-center text-inherit underline underline-offset-4"
        >
          Back to the course
        </a>
      </div>
    </aside>
  );
}

/** Below the text of a previewed lesson: visible, but not usable. */
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
