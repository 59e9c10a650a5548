import {
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";
import { Button } from "~/ui/button.tsx";
import { site } from "~content/site.ts";
import { clock, inWords } from "../rules.ts";
import type { Media } from "../schema.ts";
import { replaced, stops } from "../texts.ts";
import { type PlaybackSetup, type Status, startOf, startPlayback } from "./playback.ts";

/** What a player knows of the lesson it stands in. */
export type InLesson = Pick<
  PlaybackSetup,
  "slug" | "lesson" | "courseTitle" | "userId" | "expiresInMs"
>;

type Props = { media: Media; isNew: boolean; onReplaced: (media: Media) => void; where: InLesson };

/**
 * A lesson's video or audio. Before and without scripts the browser's own controls play it, from
 * where it was left. When ours have come, they take the very same element over: nothing starts
 * again and nothing moves. If they cannot come, the browser's own stay.
 */
export function MediaPlayer({ media, isNew, onReplaced, where }: Props) {
  const element = useRef<HTMLVideoElement & HTMLAudioElement>(null);
  // Each answer of the server names another address; the one that plays stays.
  const [address] = useState(() => addressOf(media));
  const [status, setStatus] = useState<Status>(() => firstStatus(media, isNew));
  const frame = useRef<HTMLDivElement>(null);
  const { state: controls, Controls } = useControls();
  const playback = usePlayback(element, { media, where, onReplaced, setStatus });
  const isOurs = controls === "ours";
  const lengthMs = useLength(element, media.durationMs);
  const shared = { ref: element, controls: !isOurs, preload: "metadata", src: address } as const;
  return (
    <>
      <div ref={frame} className={`player player-${media.kind}`}>
        {media.kind === "video" ? (
          <video
            {...shared}
            playsInline
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
            {Controls && (
              <Controls kind={media.kind} media={element} frame={frame} lengthMs={lengthMs} />
            )}
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

/** With the place where it begins in it, browsers go there by themselves, also without scripts. */
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

/** One line, always there: how long it is, where it goes on, or why it does not. */
function StatusLine({ status, lengthMs, children }: LineProps) {
  return (
    <div className="player-status" role="status">
      {status.is === "stopped" && <p className="text-clay">{stops[status.why]}</p>}
      {status.is === "replaced" && <p>{replaced}</p>}
      {status.is === "continued" && <p>Continues at {clock(status.fromMs)}</p>}
      {status.is === "quiet" && lengthMs !== null && <p>{inWords(lengthMs)}</p>}
      <span className="player-offer">{children}</span>
    </div>
  );
}

/** A press on the picture plays and pauses, as everywhere. */
function toggle({ currentTarget: video }: MouseEvent<HTMLVideoElement>) {
  if (video.paused) video.play().catch(() => {});
  else video.pause();
}

type OurControls = typeof import("./controls.tsx").Controls;

/** Whose controls there are: the browser's until ours have come, or for good if they cannot. */
function useControls() {
  const [found, setFound] = useState<OurControls | "none" | null>(null);
  useEffect(() => {
    let isGone = false;
    const set = (value: OurControls | "none") => !isGone && setFound(() => value);
    import("./controls.tsx").then(
      (module) => set(module.Controls),
      () => set("none"),
    );
    return () => {
      isGone = true;
    };
  }, []);
  if (found === "none") return { state: "native", Controls: null } as const;
  return { state: found ? "ours" : "waiting", Controls: found } as const;
}

function usePlayback(
  element: RefObject<HTMLMediaElement | null>,
  setup: Pick<Props, "media" | "where" | "onReplaced"> & { setStatus: SetStatus },
) {
  const playback = useRef<ReturnType<typeof startPlayback>>(null);
  // One file in one lesson is one life of this component; what changes around it changes nothing.
  const first = useRef(setup);
  useEffect(() => {
    if (!element.current) return;
    const { media, where, onReplaced, setStatus } = first.current;
    const started = startPlayback(element.current, {
      ...where,
      media,
      siteName: site.name,
      onStatus: (status) =>
        status.is === "replaced" ? onReplaced(status.media) : setStatus(status),
      onWellUnderWay: () => setStatus((now) => (now.is === "stopped" ? now : { is: "quiet" })),
    });
    playback.current = started;
    return () => started.end();
  }, [element]);
  return playback;
}

/** How long it is, in ms: as the server knows it, or else as the browser finds out. */
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
