type Props = { video: string | null; audio: string | null; title: string };

/** A lesson's video and audio; each only where there is one. */
export function LessonMedia({ video, audio, title }: Props) {
  return (
    <>
      {video && (
        // biome-ignore lint/a11y/useMediaCaption: captions are the author's to add
        <video
          controls
          playsInline
          preload="metadata"
          src={video}
          aria-label={`Video: ${title}`}
          className="mt-10 aspect-video w-full rounded-card bg-deep"
        />
      )}
      {audio && (
        <section aria-labelledby="audio-title" className="card mt-10 gap-3">
          <h2 id="audio-title" className="text-lg">
            Audio Lesson
          </h2>
          {/* biome-ignore lint/a11y/useMediaCaption: captions are the author's to add */}
          <audio controls preload="metadata" src={audio} className="w-full" />
        </section>
      )}
    </>
  );
}
