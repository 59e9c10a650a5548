import {
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { Link } from "react-router";
import { lengthInWords } from "~/features/lesson-media/length.ts";
import { Button } from "~/ui/button.tsx";
import { buttonStyles } from "~/ui/button-styles.ts";
import { useSite } from "~content/use-site.ts";
import { mediaReplaced, playbackStops } from "../messages.ts";
import { clock } from "../rules.ts";
import type { Media, PlayableMedia } from "../schema.ts";
import { useLessonLink } from "./lesson-navigation.tsx";
import { type PlaybackSetup, type Status, startOf, startPlayback } from "./playback.ts";

type InLesson = Pick<PlaybackSetup, "slug" | "lesson" | "courseTitle" | "userId" | "expiresInMs">;

type Props = { media: PlayableMedia; where: Omit<InLesson, "expiresInMs"> };

export function LessonPlayers({ media, where }: Props) {
  // The media from when the lesson was opened: new data must not interrupt playback.
  const [loaded, setLoaded] = useState(media);
  // But for the film or its sound, which the student has asked for.
  if (media.video?.isSound !== loaded.video?.isSound) setLoaded(media);
  const { video, audio, expiresInMs } = loaded;
  const lesson = { ...where, expiresInMs };
  const to = useLessonLink();
  return (
    <>
      {video && (
        <section aria-label="Video" className="mt-10">
          <OneMedia media={video} where={lesson}>
            {video.other && (
              <Link
                to={to(where.lesson.key) + video.other.query}
                preventScrollReset
                className={buttonStyles({ variant: "link", size: "sm" })}
              >
                {video.other.label}
              </Link>
            )}
          </OneMedia>
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

type OneProps = { media: Media; where: InLesson; children?: ReactNode };

function OneMedia({ media, where, children }: OneProps) {
  const asLoaded = { shown: media, isNew: false, isSound: media.isSound };
  const [{ shown, isNew, isSound }, show] = useState(asLoaded);
  if (media.isSound !== isSound) show(asLoaded);
  return (
    <>
      <MediaPlayer
        key={shown.key + isSound}
        media={shown}
        isNew={isNew}
        onReplaced={(other) => show({ shown: other, isNew: true, isSound })}
        where={where}
      />
      {children}
      <TranscriptView
        of={shown.kind === "video" ? "video" : "audio"}
        transcript={shown.transcript}
      />
    </>
  );
}

/** The transcript: collapsed until it is opened, but printed. */
function TranscriptView({ of, transcript }: { of: string; transcript: string[] }) {
  const id = useId();
  if (transcript.length === 0) return null;
  return (
    <details className="transcript" suppressHydrationWarning>
      <summary className="accordion-line">
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

type PlayerProps = {
  media: Media;
  isNew: boolean;
  onReplaced: (media: Media) => void;
  where: InLesson;
};

/** A lesson's video or audio. Before and without scripts the browser's own controls play it,
 * from the saved position. Ours take over the same element when they are loaded, so that nothing
 * restarts or moves; if they fail to load, the browser's own stay. */
function MediaPlayer({ media, isNew, onReplaced, where }: PlayerProps) {
  const element = useRef<HTMLVideoElement & HTMLAudioElement>(null);
  // Each response of the server has another URL; the one that plays stays.
  const [address] = useState(() => addressOf(media));
  const [status, setStatus] = useState<Status>(() => firstStatus(media, isNew));
  const frame = useRef<HTMLDivElement>(null);
  const controls = useControls();
  const Controls = typeof controls === "function" ? controls : null;
  const playback = usePlayback(element, { media, where, onReplaced, setStatus });
  const isOurs = Controls !== null;
  const kind = media.isSound ? "audio" : media.kind;
  const lengthMs = useLength(element, media.durationMs);
  const shared = { ref: element, controls: !isOurs, preload: "metadata", src: address } as const;
  return (
    <>
      <div ref={frame} className={`player player-${kind}`}>
        {kind === "video" ? (
          <video
            {...shared}
            playsInline
            poster={media.poster ?? undefined}
            aria-label={`Video: ${where.lesson.title}`}
            onClick={isOurs ? toggle : undefined}
          >
            {media.hasCaptions && <Track {...where} />}
          </video>
        ) : (
          <audio {...shared} aria-label={`Audio: ${where.lesson.title}`} hidden={isOurs} />
        )}
        {controls !== "native" && (
          <div className="player-controls">
            {Controls && <Controls kind={kind} media={element} frame={frame} lengthMs={lengthMs} />}
          </div>
        )}
      </div>
      <StatusLine status={status} lengthMs={lengthMs}>
        {status.is === "continued" && (
          <Button variant="link" size="sm" onClick={() => playback.current?.startOver()}>
            Start from the beginning
          </Button>
        )}
        {status.is === "stopped" && (
          <Button variant="outline" size="sm" onClick={() => playback.current?.tryAgain()}>
            Try again
          </Button>
        )}
      </StatusLine>
    </>
  );
}

// With the position in the URL, browsers go there by themselves, also without scripts.
function addressOf(media: Media): string {
  const startMs = startOf(media);
  return startMs > 0 ? `${media.url}#t=${startMs / 1000}` : media.url;
}

function firstStatus(media: Media, isNew: boolean): Status {
  if (isNew) return { is: "replaced", media };
  const fromMs = startOf(media);
  return fromMs > 0 ? { is: "continued", fromMs } : { is: "quiet" };
}

function Track({ slug, lesson }: Pick<InLesson, "slug" | "lesson">) {
  const query = new URLSearchParams({ lesson: lesson.key });
  return (
    <track
      kind="captions"
      srcLang="en"
      label="English"
      src={`/courses/${slug}/learn/captions?${query}`}
    />
  );
}

type LineProps = { status: Status; lengthMs: number | null; children: ReactNode };

function StatusLine({ status, lengthMs, children }: LineProps) {
  return (
    <div
      className="flex min-h-11 flex-wrap items-center gap-x-3.5 gap-y-1.5 py-1.5 text-sm text-ink-soft tabular-nums print:hidden"
      role="status"
    >
      {status.is === "stopped" && <p className="text-clay">{playbackStops[status.why]}</p>}
      {status.is === "replaced" && <p>{mediaReplaced}</p>}
      {status.is === "continued" && <p>Continues at {clock(status.fromMs)}</p>}
      {status.is === "quiet" && lengthMs !== null && <p>{`Length ${lengthInWords(lengthMs)}`}</p>}
      <span className="player-offer">{children}</span>
    </div>
  );
}

function toggle({ currentTarget: video }: MouseEvent<HTMLVideoElement>) {
  if (video.paused) video.play().catch(() => {});
  else video.pause();
}

type OurControls = typeof import("./media-controls.tsx").MediaControls;

// The browser's controls until ours are loaded, or for good if that fails.
function useControls() {
  const [found, setFound] = useState<OurControls | "native" | null>(null);
  useEffect(() => {
    import("./media-controls.tsx").then(
      (file) => setFound(() => file.MediaControls),
      () => setFound("native"),
    );
  }, []);
  return found;
}

function usePlayback(
  element: RefObject<HTMLMediaElement | null>,
  setup: Pick<PlayerProps, "media" | "where" | "onReplaced"> & { setStatus: SetStatus },
) {
  const { name: siteName } = useSite();
  const playback = useRef<ReturnType<typeof startPlayback>>(null);
  // One component instance is one file in one lesson; later prop changes must not restart it.
  const first = useRef({ ...setup, siteName });
  useEffect(() => {
    if (!element.current) return;
    const { media, where, siteName, onReplaced, setStatus } = first.current;
    const started = startPlayback(element.current, {
      ...where,
      media,
      siteName,
      onStatus: (status) =>
        status.is === "replaced" ? onReplaced(status.media) : setStatus(status),
      onWellUnderWay: () => setStatus((now) => (now.is === "stopped" ? now : { is: "quiet" })),
    });
    playback.current = started;
    return () => started.end();
  }, [element]);
  return playback;
}

function useLength(element: RefObject<HTMLMediaElement | null>, knownMs: number | null) {
  const [lengthMs, setLengthMs] = useState(knownMs);
  useEffect(() => {
    const media = element.current;
    if (!media || knownMs !== null) return;
    const read = () => Number.isFinite(media.duration) && setLengthMs(media.duration * 1000);
    read();
    media.addEventListener("durationchange", read);
    return () => media.removeEventListener("durationchange", read);
  }, [element, knownMs]);
  return lengthMs;
}

type SetStatus = (status: Status | ((now: Status) => Status)) => void;
