import type { JournalFormError } from "~/features/journal/answers-form.server.ts";
import { EmptyState } from "~/ui/empty-state.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Prose } from "~/ui/prose.tsx";
import type { Player, ShownLesson } from "../player.server.ts";
import { LessonNavigation } from "./lesson-navigation.tsx";
import { LessonPlayers } from "./lesson-players.tsx";
import { OpenLessonForm } from "./open-lesson-form.tsx";
import { PreviewLesson } from "./preview.tsx";

type Props = {
  player: Player;
  userId: string;
  newDraftId: string;
  isPreview: boolean;
  problem: JournalFormError | null;
};

/** The main area of the player: a lesson, a locked lesson, or none. */
export function PlayerMain({ player, isPreview, ...rest }: Props) {
  const { lesson } = player;
  if (!lesson)
    return (
      <EmptyState heading="h1" title="Select a lesson to begin">
        {player.modules.length === 0 && <p>This course has no lessons yet.</p>}
      </EmptyState>
    );
  return (
    <article aria-labelledby="lesson-title">
      <h1 id="lesson-title" tabIndex={-1} className="mb-8 text-3xl outline-none">
        {lesson.title}
      </h1>
      {lesson.state === "locked" ? (
        <LockedLesson lesson={lesson} />
      ) : (
        <>
          <Prose html={lesson.html} />
          <LessonPlayers
            media={lesson.media}
            where={{
              slug: player.course.slug,
              courseTitle: player.course.title,
              lesson,
              userId: isPreview ? null : rest.userId,
            }}
          />
          {isPreview ? (
            <PreviewLesson lesson={lesson} />
          ) : (
            <OpenLessonForm slug={player.course.slug} lesson={lesson} {...rest} />
          )}
        </>
      )}
    </article>
  );
}

function LockedLesson({ lesson }: { lesson: Extract<ShownLesson, { state: "locked" }> }) {
  return (
    <>
      <Notice title={`This lesson opens on ${lesson.opens}`}>
        <p>It is not going anywhere. Until then, everything before it stays open to you.</p>
      </Notice>
      <LessonNavigation previousKey={lesson.previousKey} nextKey={null} />
    </>
  );
}
