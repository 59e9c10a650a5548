import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { EmptyState } from "~/ui/empty-state.tsx";
import { Notice } from "~/ui/notice.tsx";
import type { Problem } from "../player/commands.server.ts";
import type { Player, ShownLesson } from "../player/queries.server.ts";
import { LessonMedia } from "./lesson-media.tsx";
import { LessonNavigation } from "./lesson-navigation.tsx";
import { OpenLessonForm } from "./open-lesson-form.tsx";

type Props = {
  player: Player;
  userId: string;
  newDraftId: string;
  problem: Problem | null;
};

/** The main area of the player: a lesson, a lesson that is not open yet, or none. */
export function PlayerMain({ player, ...rest }: Props) {
  const { lesson } = player;
  if (!lesson)
    return (
      <EmptyState title="Select a lesson to begin">
        {player.modules.length === 0 && <p>This course has no lessons yet.</p>}
      </EmptyState>
    );
  return (
    <article aria-labelledby="lesson-title">
      <LessonTitle title={lesson.title} />
      {lesson.state === "locked" ? (
        <LockedLesson lesson={lesson} />
      ) : (
        <>
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: made safe when it was saved */}
          <div className="prose" dangerouslySetInnerHTML={{ __html: lesson.html }} />
          <LessonMedia video={lesson.videoUrl} audio={lesson.audioUrl} title={lesson.title} />
          <OpenLessonForm
            slug={player.course.slug}
            lesson={lesson}
            completedIds={player.completedIds}
            {...rest}
          />
        </>
      )}
    </article>
  );
}

/** After moving on to a lesson, reading aloud and the keyboard begin at its title. */
function LessonTitle({ title }: { title: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const arrived = useLocation().key !== "default";
  useEffect(() => {
    if (arrived) heading.current?.focus({ preventScroll: true });
  }, [arrived]);
  return (
    <h1 id="lesson-title" ref={heading} tabIndex={-1} className="mb-8 text-3xl outline-none">
      {title}
    </h1>
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
