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

/** Plays at the speed chosen on this device, and saves changes, also by native controls. */
export function rememberSpeed(media: HTMLMediaElement, signal: AbortSignal): void {
  const stored = Number(read(speedName));
  const speed = speeds.find((one) => one === stored) ?? 1;
  // What is loaded next starts with the default rate, not with the one that was chosen.
  media.defaultPlaybackRate = speed;
  media.playbackRate = speed;
  const save = () => {
    const chosen = speeds.find((one) => one === media.playbackRate);
    if (!chosen || chosen === media.defaultPlaybackRate) return;
    media.defaultPlaybackRate = chosen;
    write(speedName, String(chosen));
  };
  media.addEventListener("ratechange", save, { signal });
}

/** Shows captions if they were on in the last lesson, and saves when they are switched. */
export function rememberCaptions({ textTracks }: HTMLMediaElement, signal: AbortSignal): void {
  const [first] = textTracks;
  if (first && read(captionsName) === "on") first.mode = "showing";
  const save = () => {
    const areShown = [...textTracks].some(({ mode }) => mode === "showing");
    write(captionsName, areShown ? "on" : "off");
  };
  textTracks.addEventListener("change", save, { signal });
}
