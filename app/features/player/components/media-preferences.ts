import { speeds } from "../messages.ts";

const speedName = "player:speed";
const captionsName = "player:captions";

function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Forbidden or full: then the choice is for this page only.
  }
}

/** The speed that was chosen on this device, for every lesson; 1 by default. */
export function preferredSpeed(): number {
  const kept = Number(read(speedName));
  return speeds.find((speed) => speed === kept) ?? 1;
}

/** Plays at the preferred speed and saves changes, also those by native controls. */
export function rememberSpeed(media: HTMLMediaElement, signal: AbortSignal): void {
  const apply = (speed: number) => {
    // What is loaded next starts with the default rate, not with the one that was chosen.
    media.defaultPlaybackRate = speed;
    media.playbackRate = speed;
  };
  apply(preferredSpeed());
  media.addEventListener(
    "ratechange",
    () => {
      const speed = speeds.find((one) => one === media.playbackRate);
      if (!speed || speed === media.defaultPlaybackRate) return;
      media.defaultPlaybackRate = speed;
      write(speedName, String(speed));
    },
    { signal },
  );
}

/** Shows captions if they were on in the last lesson, and saves when they are switched. */
export function rememberCaptions(media: HTMLMediaElement, signal: AbortSignal): void {
  const tracks = media.textTracks;
  const areShown = () => [...tracks].some(({ mode }) => mode === "showing");
  const [first] = tracks;
  if (first && read(captionsName) === "on") first.mode = "showing";
  tracks.addEventListener("change", () => write(captionsName, areShown() ? "on" : "off"), {
    signal,
  });
}
