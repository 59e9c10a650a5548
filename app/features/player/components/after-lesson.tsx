import { Link } from "react-router";
import { Button, ButtonLink } from "~/ui/button.tsx";
import type { WhatFollows } from "../after-lesson.server.ts";
import { afterLessonId, afterLessonTitle } from "../messages.ts";
import type { ShownLesson } from "../player.server.ts";
import { useLessonLink } from "./lesson-navigation.tsx";

/** Where no open lesson follows: what opens next, what is left, or the end of the course. */
export function AfterLesson({ lesson }: { lesson: ShownLesson }) {
  const to = useLessonLink();
  const { after, isDone } = lesson;
  if (!after) return null;
  const { heading, says, toDo, book, email } = after;
  // A form would take what is in the journal boxes of an open lesson with it.
  const isWriting = lesson.state === "open" && !lesson.isCompleted;
  return (
    <section
      id={afterLessonId}
      aria-labelledby={afterLessonTitle}
      className={`grid scroll-mt-8 gap-4 border-line ${isDone ? "mb-10 border-y py-8" : "mt-12 border-t pt-8"}`}
    >
      <h2 id={afterLessonTitle} tabIndex={-1} className="text-2xl outline-none">
        {heading}
      </h2>
      {says.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {!isWriting && email && <LessonEmail email={email} />}
      {toDo && (
        <p>
          <Link to={to(toDo.key)}>{toDo.title}</Link> is open and not completed yet.
        </p>
      )}
      {book && (
        <p>
          What you wrote is a chapter of <a href={book}>your journal book</a>, to read or to print.
        </p>
      )}
      {!isWriting && (
        <p className="mt-2 flex flex-wrap gap-3">
          <ButtonLink href="/my-courses" variant="outline" size="sm">
            My Courses
          </ButtonLink>
          <ButtonLink href={after.journal} variant="outline" size="sm">
            My journal
          </ButtonLink>
        </p>
      )}
    </section>
  );
}

function LessonEmail({ email }: { email: NonNullable<WhatFollows["email"]> }) {
  const { says, isWanted, preferences, back } = email;
  if (isWanted)
    return (
      <p>
        {says} <a href={preferences}>Change your emails</a>
      </p>
    );
  return (
    <form method="post" action={preferences} className="grid justify-items-start gap-3">
      <p>{says}</p>
      <input type="hidden" name="kind-shown" value="lesson-opened" />
      <input type="hidden" name="kind" value="lesson-opened" />
      <input type="hidden" name="back" value={back} />
      <Button type="submit" variant="soft" size="sm">
        Email me when a lesson opens
      </Button>
    </form>
  );
}
