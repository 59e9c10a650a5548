import { stepSeconds } from "../messages.ts";

type About = { title: string; course: string; site: string };

const artwork = [
  { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
  { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
];

// The media on the lock screen: of two on one page, the one that was started last.
let owner: HTMLMediaElement | null = null;

/** Connects the media with the lock screen and the media keys until `signal` aborts. */
export function onLockScreen(media: HTMLMediaElement, about: About, signal: AbortSignal): void {
  if (!("mediaSession" in navigator)) return;
  const session = navigator.mediaSession;

  const go = (seconds: number) => {
    media.currentTime = Math.min(Math.max(0, seconds), media.duration || seconds);
  };
  const actions = {
    play: () => void media.play().catch(() => {}),
    pause: () => media.pause(),
    seekbackward: ({ seekOffset }) => go(media.currentTime - (seekOffset ?? stepSeconds)),
    seekforward: ({ seekOffset }) => go(media.currentTime + (seekOffset ?? stepSeconds)),
    seekto: ({ seekTime }) => go(seekTime ?? media.currentTime),
  } satisfies Partial<Record<MediaSessionAction, MediaSessionActionHandler>>;

  function setActions(isOwner: boolean) {
    for (const [action, handler] of Object.entries(actions))
      session.setActionHandler(action as MediaSessionAction, isOwner ? handler : null);
  }

  function takeOver() {
    owner = media;
    const { title, site: artist, course: album } = about;
    session.metadata = new MediaMetadata({ title, artist, album, artwork });
    setActions(true);
    tellPosition();
  }

  function tellPosition() {
    if (owner !== media) return;
    const { duration, currentTime, playbackRate } = media;
    session.playbackState = media.paused ? "paused" : "playing";
    if (!Number.isFinite(duration) || duration <= 0) return;
    const position = Math.min(currentTime, duration);
    session.setPositionState({ duration, playbackRate, position });
  }

  media.addEventListener("play", takeOver, { signal });
  for (const event of ["pause", "seeked", "ratechange", "durationchange"])
    media.addEventListener(event, tellPosition, { signal });
  if (!media.paused) takeOver();
  signal.addEventListener("abort", () => {
    if (owner !== media) return;
    owner = null;
    session.metadata = null;
    session.playbackState = "none";
    session.setPositionState();
    setActions(false);
  });
}
