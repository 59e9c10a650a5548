import {
  Captions,
  CaptionsOff,
  Maximize,
  Minimize,
  Pause,
  PictureInPicture2,
  Play,
  RotateCcw,
  RotateCw,
  Volume2,
  VolumeX,
} from "lucide";
import { MediaUIEvents } from "media-chrome/dist/constants.js";
import {
  createMediaStore,
  type MediaState,
  type MediaStore,
} from "media-chrome/dist/media-store/media-store.js";
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useState,
} from "react";
import { lengthInWords } from "~/features/lesson-media/length.ts";
import { type Drawing, Icon } from "~/ui/icon.tsx";
import { speeds, stepSeconds } from "../messages.ts";
import { clock } from "../rules.ts";
import type { PlaybackKind } from "../schema.ts";

type Props = {
  kind: PlaybackKind;
  media: RefObject<HTMLMediaElement | null>;
  /** What goes full screen: the video with its controls. */
  frame: RefObject<HTMLElement | null>;
  lengthMs: number | null;
};
type Request = keyof typeof MediaUIEvents;

// Step of an arrow key, in seconds; Page Up and Page Down move this many times as far.
const keySeconds = 5;
const idleAfterMs = 3000;

/** The controls of a video or an audio, in the same places for both. */
export function MediaControls({ kind, media, frame, lengthMs }: Props) {
  const { state, ask } = useMediaState({ media, frame, lengthMs });
  const isWhole = !!state?.mediaIsFullscreen;
  useWholeScreen(frame, isWhole, state?.mediaPaused === false);
  if (!state) return null;
  const { mediaPaused: isPaused = true, mediaCurrentTime: at = 0, mediaVolume = 1 } = state;
  const duration = Number.isFinite(state.mediaDuration) ? (state.mediaDuration ?? 0) : 0;
  const isMuted = state.mediaVolumeLevel === "off";
  const areCaptionsOn = (state.mediaSubtitlesShowing?.length ?? 0) > 0;
  const go = (seconds: number) =>
    ask("MEDIA_SEEK_REQUEST", Math.min(Math.max(0, seconds), duration || seconds));
  // The rendered time lags behind: of two quick presses, each must count.
  const now = () => media.current?.currentTime ?? at;
  const loaded = state.mediaBuffered?.find(([from, to]) => from <= at + 1 && at <= to)?.[1];
  const toggle = (label: string, isOn: boolean, on: Request, off: Request, icon: Drawing) => (
    <Press label={label} isOn={isOn} onPress={() => ask(isOn ? off : on)}>
      <Icon of={icon} />
    </Press>
  );
  return (
    <>
      <div className="player-line">
        <Slider
          label="Position"
          words={`${clock(at * 1000)} of ${lengthInWords(duration * 1000)}`}
          value={Math.min(at, duration)}
          max={duration}
          loaded={loaded}
          step={keySeconds}
          now={now}
          onChange={go}
        />
        <span className="shrink-0 text-ink-soft tabular-nums">
          {clock(at * 1000)} / {lengthInWords(duration * 1000)}
        </span>
      </div>
      <div className="player-group player-main">
        <Press label={`Back ${stepSeconds} seconds`} onPress={() => go(now() - stepSeconds)}>
          <Icon of={RotateCcw} />
          <span className="player-step">{stepSeconds}</span>
        </Press>
        <Press
          label={isPaused ? "Play" : "Pause"}
          className="player-play"
          onPress={() => ask(isPaused ? "MEDIA_PLAY_REQUEST" : "MEDIA_PAUSE_REQUEST")}
        >
          {isPaused ? <Icon of={Play} /> : <Icon of={Pause} />}
        </Press>
        <Press label={`Forward ${stepSeconds} seconds`} onPress={() => go(now() + stepSeconds)}>
          <Icon of={RotateCw} />
          <span className="player-step">{stepSeconds}</span>
        </Press>
      </div>
      <div className="player-group player-more">
        {toggle(
          "Mute",
          isMuted,
          "MEDIA_MUTE_REQUEST",
          "MEDIA_UNMUTE_REQUEST",
          isMuted ? VolumeX : Volume2,
        )}
        {!state.mediaVolumeUnavailable && (
          <Slider
            label="Volume"
            words={`${Math.round(mediaVolume * 100)} percent`}
            className="player-volume"
            value={isMuted ? 0 : mediaVolume}
            max={1}
            step={0.1}
            onChange={(volume) => ask("MEDIA_VOLUME_REQUEST", volume)}
          />
        )}
        <select
          aria-label="Speed"
          className="player-speed"
          value={state.mediaPlaybackRate ?? 1}
          onChange={({ target }) => ask("MEDIA_PLAYBACK_RATE_REQUEST", Number(target.value))}
        >
          {speeds.map((one) => (
            <option key={one} value={one}>
              {one}×
            </option>
          ))}
        </select>
        {(state.mediaSubtitlesList?.length ?? 0) > 0 &&
          toggle(
            "Captions",
            areCaptionsOn,
            "MEDIA_TOGGLE_SUBTITLES_REQUEST",
            "MEDIA_TOGGLE_SUBTITLES_REQUEST",
            areCaptionsOn ? Captions : CaptionsOff,
          )}
        {kind === "video" &&
          !state.mediaPipUnavailable &&
          toggle(
            "Picture-in-picture",
            !!state.mediaIsPip,
            "MEDIA_ENTER_PIP_REQUEST",
            "MEDIA_EXIT_PIP_REQUEST",
            PictureInPicture2,
          )}
        {kind === "video" &&
          !state.mediaFullscreenUnavailable &&
          toggle(
            "Full screen",
            isWhole,
            "MEDIA_ENTER_FULLSCREEN_REQUEST",
            "MEDIA_EXIT_FULLSCREEN_REQUEST",
            isWhole ? Minimize : Maximize,
          )}
      </div>
    </>
  );
}

type PressProps = {
  label: string;
  isOn?: boolean;
  className?: string;
  onPress: () => void;
  children: ReactNode;
};

function Press({ label, isOn, className = "", onPress, children }: PressProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={isOn}
      title={label}
      className={`player-press ${className}`}
      onClick={onPress}
    >
      {children}
    </button>
  );
}

type SliderProps = {
  label: string;
  words: string;
  value: number;
  max: number;
  /** Step of an arrow key; pointers go anywhere. */
  step: number;
  loaded?: number | undefined;
  className?: string;
  onChange: (value: number) => void;
  /** The current value, where the rendered one may be behind. */
  now?: () => number;
};

const arrows: Record<string, number> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -6,
  PageUp: 6,
};

/** A native range input on a line that shows progress. */
function Slider({
  label,
  words,
  value,
  max,
  step,
  loaded,
  className = "",
  onChange,
  now = () => value,
}: SliderProps) {
  const share = (part: number) => `${max > 0 ? (part / max) * 100 : 0}%`;
  function byKey(event: KeyboardEvent) {
    const steps = arrows[event.key];
    if (!steps || event.metaKey || event.altKey || event.ctrlKey) return;
    event.preventDefault();
    onChange(Math.min(max, Math.max(0, now() + steps * step)));
  }
  return (
    <input
      type="range"
      aria-label={label}
      aria-valuetext={words}
      className={`player-slider ${className}`}
      style={{ "--at": share(value), "--loaded": share(loaded ?? value) } as CSSProperties}
      min={0}
      max={max}
      step="any"
      value={value}
      onKeyDown={byKey}
      onChange={({ target }) => onChange(target.valueAsNumber)}
    />
  );
}

/** The state of a media element, with browser differences evened out; null at first. */
function useMediaState({ media, frame, lengthMs }: Omit<Props, "kind">) {
  const [store, setStore] = useState<MediaStore | null>(null);
  const [state, setState] = useState<Partial<MediaState> | null>(null);
  useEffect(() => {
    if (!media.current) return;
    const made = createMediaStore({
      media: media.current,
      fullscreenElement: frame.current ?? undefined,
      documentElement: document,
      // media-preferences.ts saves preferences instead, for native controls as well.
      options: {
        defaultDuration: lengthMs === null ? undefined : lengthMs / 1000,
        noVolumePref: true,
        noMutedPref: true,
        noSubtitlesLangPref: true,
      },
    });
    setStore(made);
    return made.subscribe((next) => setState(next));
  }, [media, frame, lengthMs]);
  const ask = (request: Request, detail?: unknown) =>
    store?.dispatch({ type: MediaUIEvents[request], detail });
  return { state, ask };
}

/** In full screen, the area around the picture is dark in every theme, and the controls are hidden
 * (`data-idle`) while a video plays without movement or press. */
function useWholeScreen(
  element: RefObject<HTMLElement | null>,
  isWhole: boolean,
  isPlaying: boolean,
): void {
  useEffect(() => {
    element.current?.classList.toggle("on-deep", isWhole);
  }, [element, isWhole]);
  useEffect(() => {
    const frame = element.current;
    if (!frame || !isWhole || !isPlaying) return;
    const own = new AbortController();
    let timer: number | undefined;
    const wake = () => {
      clearTimeout(timer);
      delete frame.dataset.idle;
      timer = window.setTimeout(() => {
        frame.dataset.idle = "";
      }, idleAfterMs);
    };
    for (const event of ["pointermove", "pointerdown", "keydown", "focusin"])
      frame.addEventListener(event, wake, { signal: own.signal });
    wake();
    return () => {
      own.abort();
      clearTimeout(timer);
      delete frame.dataset.idle;
    };
  }, [element, isWhole, isPlaying]);
}
