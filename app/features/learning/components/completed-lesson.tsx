import { Button } from "~/ui/button.tsx";
import type { OpenLesson } from "../player/queries.server.ts";
import { KeptDraft } from "./draft-offer.tsx";
import { LessonNavigation } from "./lesson-navigation.tsx";

/** A completed lesson's journal: the student's own answers under the questions, to be read. */
export function CompletedLesson({ slug, lesson }: { slug: string; lesson: OpenLesson }) {
  const asked = lesson.prompts.map(({ question }) => question);
  const given = new Map(lesson.answers.map(({ question, answer }) => [question, answer]));
  const questions = [
    ...asked,
    ...[...given.keys()].filter((question) => !asked.includes(question)),
  ];
  return (
    <div className="mt-12">
      {questions.length > 0 && (
        <section aria-labelledby="prompts-title" className="grid gap-6 border-t border-line pt-8">
          <h2 id="prompts-title" className="text-2xl">
            Journal Prompts for Reflection
          </h2>
          <dl className="grid gap-6">
            {questions.map((question, index) => (
              <div key={question}>
                <dt className="font-[550] wrap-anywhere">{`${index + 1}. ${question}`}</dt>
                <dd dir="auto" className="written mt-2">
                  {given.get(question) ?? (
                    <span className="text-ink-soft">Nothing written here.</span>
                  )}
                </dd>
              </div>
            ))}
          </dl>
          {lesson.drafts.map((draft) => (
            <KeptDraft key={draft.id} draft={draft} slug={slug} />
          ))}
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
