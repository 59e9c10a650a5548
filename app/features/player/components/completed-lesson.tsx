import { SavedDraft } from "~/features/journal/components/draft-offer.tsx";
import { journalPath } from "~/features/journal/messages.ts";
import { matchAnswers } from "~/features/journal/place-answers.ts";
import { Button } from "~/ui/button.tsx";
import type { OpenLesson } from "../player.server.ts";
import { LessonNavigation } from "./lesson-navigation.tsx";

/** The journal of a completed lesson: the student's answers under the questions, read-only. */
export function CompletedLesson({ slug, lesson }: { slug: string; lesson: OpenLesson }) {
  const asked = lesson.prompts.map(({ question }) => question);
  const { matched, rest } = matchAnswers(asked, lesson.answers);
  const entries = [
    ...asked.map((question, index) => ({ question, answer: matched[index] ?? null })),
    ...rest,
  ];
  return (
    <div className="mt-12">
      {(entries.length > 0 || lesson.drafts.length > 0 || lesson.unreadable) && (
        <section aria-labelledby="prompts-title" className="grid gap-6 border-t border-line pt-8">
          <h2 id="prompts-title" className="text-2xl">
            Journal Prompts for Reflection
          </h2>
          {lesson.unreadable && <p className="text-ink-soft">{lesson.unreadable}</p>}
          <dl className="grid gap-6">
            {entries.map(({ question, answer }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two questions may be alike; they never move
              <div key={index}>
                <dt className="font-serif text-lg wrap-anywhere">{`${index + 1}. ${question}`}</dt>
                <dd dir="auto" className="written mt-2">
                  {answer ??
                    (!lesson.unreadable && (
                      <span className="text-ink-soft">Nothing written here.</span>
                    ))}
                </dd>
              </div>
            ))}
          </dl>
          {lesson.drafts.map((draft) => (
            <SavedDraft key={draft.id} draft={draft} slug={slug} />
          ))}
          {lesson.answers.length + lesson.drafts.length > 0 && (
            <p>
              <a href={`${journalPath}?lesson=${lesson.id}#lesson-${lesson.id}`}>
                Change or delete it in My journal
              </a>
            </p>
          )}
        </section>
      )}
      <LessonNavigation previousKey={lesson.previousKey} nextKey={lesson.nextKey}>
        {lesson.completeModule === "done" && (
          <Button disabled variant="secondary">
            Module Complete!
          </Button>
        )}
      </LessonNavigation>
    </div>
  );
}
