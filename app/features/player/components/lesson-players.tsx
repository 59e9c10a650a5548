import { useId, useState } from "react";
import type { Media, PlayableMedia } from "../schema.ts";
import { type InLesson, MediaPlayer } from "./media-player.tsx";

/** The transcript: collapsed until it is opened, but printed. */
export function TranscriptView({ of, transcript }: { of: string; transcript: string[] }) {
  const id = useId();
  if (transcript.length === 0) return null;
  return (
    <details className="transcript" suppressHydrationWarning>
      <summary>
        <span id={id}>
          Transcript<span className="sr-only"> of the {of}</span>
        </span>
        <span className="accordion-sign" aria-hidden="true" />
      </summary>
      <div className="transcript-text" dir="auto">
        {transcript.map((paragraph, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two paragraphs may be alike; they never move
          <p key={index}>{paragraph}</p>
        ))}
      </div>
    </details>
  );
}

type Props = { media: PlayableMedia; where: Omit<InLesson, "expiresInMs"> };

export function LessonPlayers({ media, where }: Props) {
  // The media from when the lesson was opened: new data must not interrupt playback.
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
      <TranscriptView
        of={shown.kind === "video" ? "video" : "audio"}
        transcript={shown.transcript}
      />
    </>
  );
}
