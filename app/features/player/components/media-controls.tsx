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
} from "lucide-react";
import { type ReactNode, type RefObject, useEffect } from "react";
import { speeds, stepSeconds } from "../messages.ts";
import { clock } from "../rules.ts";
import type { PlaybackKind } from "../schema.ts";
import { requests, useMediaState } from "./media-state.ts";
import { Slider } from "./slider.tsx";

const idleAfterMs = 3000;

/** In full screen, the area around the picture is dark in every theme. */
export function useWholeScreen(frame: RefObject<HTMLElement | null>, isWhole: boolean): void {
  useEffect(() => {
    frame.current?.classList.toggle("on-deep", isWhole);
  }, [frame, isWhole]);
}

/** Sets `data-idle` on an element that has had no movement or press for a while. */
export function useIdle(element: RefObject<HTMLElement | null>, isWatched: boolean): void {
  useEffect(() => {
    const frame = element.current;
    if (!frame || !isWatched) return;
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
  }, [element, isWatched]);
}

type Props = {
  kind: PlaybackKind;
  media: RefObject<HTMLMediaElement | null>;
  frame: RefObject<HTMLElement | null>;
  lengthMs: number | null;
};

// Step of an arrow key, in seconds; Page Up and Page Down move this many times as far.
const keySeconds = 5;

const line = { "aria-hidden": true, strokeWidth: 1.75 } as const;

/** The controls of a video or an audio, in the same places for both. */
export function MediaControls({ kind, media, frame, lengthMs }: Props) {
  const defaultDuration = lengthMs === null ? undefined : lengthMs / 1000;
  const { state, ask } = useMediaState({ media, frame, defaultDuration });
  useWholeScreen(frame, !!state?.mediaIsFullscreen);
  useIdle(frame, !!state?.mediaIsFullscreen && state.mediaPaused === false);
  if (!state) return null;
  const { mediaPaused: isPaused = true, mediaCurrentTime: at = 0, mediaVolume = 1 } = state;
  const duration = Number.isFinite(state.mediaDuration) ? (state.mediaDuration ?? 0) : 0;
  const isMuted = state.mediaVolumeLevel === "off";
  const hasCaptions = (state.mediaSubtitlesList?.length ?? 0) > 0;
  const areCaptionsOn = (state.mediaSubtitlesShowing?.length ?? 0) > 0;
  const go = (seconds: number) =>
    ask(requests.MEDIA_SEEK_REQUEST, Math.min(Math.max(0, seconds), duration || seconds));
  // The rendered time lags behind: of two quick presses, each must count.
  const now = () => media.current?.currentTime ?? at;
  const loaded = state.mediaBuffered?.find(([from, to]) => from <= at + 1 && at <= to)?.[1];
  return (
    <>
      <div className="player-line">
        <Slider
          label="Position"
          words={`${clock(at * 1000)} of ${clock(duration * 1000)}`}
          value={Math.min(at, duration)}
          max={duration}
          loaded={loaded}
          step={keySeconds}
          now={now}
          onChange={go}
        />
        <span className="player-time">
          {clock(at * 1000)} / {clock(duration * 1000)}
        </span>
      </div>
      <div className="player-group player-main">
        <Press label={`Back ${stepSeconds} seconds`} onPress={() => go(now() - stepSeconds)}>
          <RotateCcw {...line} />
          <span className="player-step">{stepSeconds}</span>
        </Press>
        <Press
          label={isPaused ? "Play" : "Pause"}
          className="player-play"
          onPress={() => ask(isPaused ? requests.MEDIA_PLAY_REQUEST : requests.MEDIA_PAUSE_REQUEST)}
        >
          {isPaused ? <Play {...line} /> : <Pause {...line} />}
        </Press>
        <Press label={`Forward ${stepSeconds} seconds`} onPress={() => go(now() + stepSeconds)}>
          <RotateCw {...line} />
          <span className="player-step">{stepSeconds}</span>
        </Press>
      </div>
      <div className="player-group player-more">
        <Press
          label="Mute"
          isOn={isMuted}
          onPress={() => ask(isMuted ? requests.MEDIA_UNMUTE_REQUEST : requests.MEDIA_MUTE_REQUEST)}
        >
          {isMuted ? <VolumeX {...line} /> : <Volume2 {...line} />}
        </Press>
        {!state.mediaVolumeUnavailable && (
          <Slider
            label="Volume"
            words={`${Math.round(mediaVolume * 100)} percent`}
            className="player-volume"
            value={isMuted ? 0 : mediaVolume}
            max={1}
            step={0.1}
            onChange={(volume) => ask(requests.MEDIA_VOLUME_REQUEST, volume)}
          />
        )}
        <select
          aria-label="Speed"
          className="player-speed"
          value={state.mediaPlaybackRate ?? 1}
          onChange={({ target }) => ask(requests.MEDIA_PLAYBACK_RATE_REQUEST, Number(target.value))}
        >
          {speeds.map((one) => (
            <option key={one} value={one}>
              {one}×
            </option>
          ))}
        </select>
        {hasCaptions && (
          <Press
            label="Captions"
            isOn={areCaptionsOn}
            onPress={() => ask(requests.MEDIA_TOGGLE_SUBTITLES_REQUEST)}
          >
            {areCaptionsOn ? <Captions {...line} /> : <CaptionsOff {...line} />}
          </Press>
        )}
        {kind === "video" && !state.mediaPipUnavailable && (
          <Press
            label="Picture-in-picture"
            isOn={state.mediaIsPip}
            onPress={() =>
              ask(
                state.mediaIsPip
                  ? requests.MEDIA_EXIT_PIP_REQUEST
                  : requests.MEDIA_ENTER_PIP_REQUEST,
              )
            }
          >
            <PictureInPicture2 {...line} />
          </Press>
        )}
        {kind === "video" && !state.mediaFullscreenUnavailable && (
          <Press
            label="Full screen"
            isOn={state.mediaIsFullscreen}
            onPress={() =>
              ask(
                state.mediaIsFullscreen
                  ? requests.MEDIA_EXIT_FULLSCREEN_REQUEST
                  : requests.MEDIA_ENTER_FULLSCREEN_REQUEST,
              )
            }
          >
            {state.mediaIsFullscreen ? <Minimize {...line} /> : <Maximize {...line} />}
          </Press>
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
