import { useState } from "react";
import { type InLesson, MediaPlayer } from "../playback/components/media-player.tsx";
import { Transcript } from "../playback/components/transcript.tsx";
import type { LessonMedia as Both, Media } from "../playback/schema.ts";

type Props = { media: Both; where: Omit<InLesson, "expiresInMs"> };

/** A lesson's video and audio; each only where there is one. */
export function LessonMedia({ media, where }: Props) {
  // What was there when the lesson was opened: whoever listens is not interrupted by what comes.
  const [{ video, audio, expiresInMs }] = useState(media);
  const lesson = { ...where, expiresInMs };
  return (
    <>
      {video && (
        <section aria-label="Video" className="mt-10">
          <OneMedia media={video} where={lesson} />
        </section>
      )}
      {audio && (
        <section aria-labelledby="audio-title" className="card player-card mt-10">
          <h2 id="audio-title" className="text-lg">
            Audio Lesson
          </h2>
          <OneMedia media={audio} where={lesson} />
        </section>
      )}
    </>
  );
}

/** The file of the lesson, or the new one that took its place while it was open. */
function OneMedia({ media, where }: { media: Media; where: InLesson }) {
  const [{ shown, isNew }, show] = useState({ shown: media, isNew: false });
  return (
    <>
      <MediaPlayer
        key={shown.key}
        media={shown}
        isNew={isNew}
        onReplaced={(other) => show({ shown: other, isNew: true })}
        where={where}
      />
      <Transcript of={shown.kind === "video" ? "video" : "audio"} transcript={shown.transcript} />
    </>
  );
}
