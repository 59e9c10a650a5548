import { type playbackStops, renewAheadMs } from "../messages.ts";
import { addressState, retryDelayMs } from "../rules.ts";
import type { Media, PlayableMedia } from "../schema.ts";

export type Stop = keyof typeof playbackStops;

type Setup = Pick<Media, "kind" | "key"> & {
  source: string;
  expiresInMs: number;
  /** Where the first URL starts. */
  startMs: number;
  signal: AbortSignal;
  onStop: (why: Stop) => void;
  onGoingOn: () => void;
  /** The lesson has another file now. */
  onReplaced: (media: Media) => void;
};

// The page took a while to arrive, and the storage's clock may be a little ahead.
const slackMs = 30_000;
// After this much playback, an earlier failure is over.
const recoveredSeconds = 3;

/** Keeps media playing beyond the expiry of its URL. The next URL is fetched during playback,
 * shortly before the expiry, and used when something is loaded anyway: after a pause, with a seek,
 * or when the old one has failed. A listener notices nothing. */
export function createMediaAddress(media: HTMLMediaElement, setup: Setup) {
  const { kind, key, signal, source } = setup;
  let endsAt = Date.now() + setup.expiresInMs - slackMs;
  let next: { url: string; endsAt: number } | null = null;
  let askedAt = 0;
  let tries = 0;
  let failedAt = 0;
  let isRecovering = false;
  let isSwapping = false;
  let isStopped = false;
  // The site finds this file where its media lies.
  let isFound = false;

  const on = (type: string, listener: () => void, once = false) =>
    media.addEventListener(type, listener, { signal, once });
  // The user wants playback. Chromium pauses failed media before it reports the error.
  let isWanted = !media.paused;
  on("play", () => {
    isWanted = true;
  });
  on("pause", () => {
    if (!media.error) isWanted = false;
  });

  // Until something was loaded, the media is at 0, wherever it is to start.
  let isLoaded = media.readyState > 0;
  on("loadedmetadata", () => {
    isLoaded = true;
  });

  const state = () => addressState(endsAt, Date.now(), renewAheadMs);

  /** The lesson's media as it is now; its URL is the next one if the file is the same. */
  async function ask(): Promise<PlayableMedia | "unreachable" | "signedOut" | "closed"> {
    askedAt = Date.now();
    try {
      const response = await fetch(source, { signal, headers: { Accept: "application/json" } });
      if (response.status === 401) return "signedOut";
      if (!response.ok) return response.status < 500 ? "closed" : "unreachable";
      const answer = (await response.json()) as PlayableMedia;
      const fresh = answer[kind];
      isFound = fresh?.key === key;
      if (fresh && isFound)
        next = { url: fresh.url, endsAt: Date.now() + answer.expiresInMs - slackMs };
      return answer;
    } catch {
      return "unreachable";
    }
  }

  // Switches to the fresh URL and resumes at the same place, playing or paused as before.
  function swap(): void {
    if (!next) return;
    const at = isLoaded ? media.currentTime : setup.startMs / 1000;
    isSwapping = true;
    ({ endsAt } = next);
    media.src = next.url;
    next = null;
    media.currentTime = at;
    // For browsers that drop a position that is set before the media is loaded.
    const seek = () => {
      if (Math.abs(media.currentTime - at) > 1) media.currentTime = at;
    };
    const done = () => {
      isSwapping = false;
    };
    on("loadedmetadata", seek, true);
    on("loadeddata", done, true);
    on("error", done, true);
    if (isWanted) media.play().catch(() => {});
  }

  async function recover(): Promise<void> {
    if (isRecovering) return;
    isRecovering = true;
    isStopped = false;
    failedAt = media.currentTime;
    const why = await freshAddress();
    isRecovering = false;
    if (signal.aborted) return;
    isStopped = why !== null;
    if (why) return setup.onStop(why);
    if (!next) return;
    setup.onGoingOn();
    swap();
  }

  // Browsers report a file that did not arrive as one that they do not support.
  async function whyNot(): Promise<Stop> {
    if ((media.error?.code ?? 0) < MediaError.MEDIA_ERR_DECODE) return "failed";
    // Scripts may not ask a store elsewhere; the site has just found the file there.
    if (new URL(media.src).origin !== location.origin) return isFound ? "unplayable" : "failed";
    const answer = await fetch(media.src, { method: "HEAD", signal }).catch(() => null);
    return answer?.ok ? "unplayable" : "failed";
  }

  // @returns why there is none
  async function freshAddress(): Promise<Stop | null> {
    for (;;) {
      const delay = retryDelayMs(tries);
      if (delay === null) return navigator.onLine ? await whyNot() : "offline";
      tries += 1;
      if (delay) await new Promise((resolve) => setTimeout(resolve, delay));
      if (signal.aborted) return null;
      // A URL that was prefetched may be what has just failed, so later tries ask again.
      if (next && tries === 1) return null;
      const answer = await ask();
      if (answer === "signedOut" || answer === "closed") return answer;
      // Without it, the storage does not answer, or the file is being replaced.
      const fresh = answer === "unreachable" ? null : answer[kind];
      if (!fresh) continue;
      if (fresh.key !== key) setup.onReplaced(fresh);
      return null;
    }
  }

  function tryAgain(): void {
    tries = 0;
    next = null;
    void recover();
  }

  return {
    /** During playback: fetches the next URL when this one expires soon. */
    tick(): void {
      if (tries && Math.abs(media.currentTime - failedAt) > recoveredSeconds) tries = 0;
      const isDue = state() !== "good" && !next && !isRecovering;
      if (isDue && Date.now() - askedAt > slackMs) void ask();
    },
    /** Something is about to be loaded: playback starts, or seeks. */
    use(): void {
      if (isSwapping || isRecovering) return;
      if (isStopped) tryAgain();
      else if (state() === "good" || isBuffered(media)) return;
      else if (next) swap();
      else if (state() === "over") void recover();
    },
    failed: () => void recover(),
    tryAgain,
    isStopped: () => isStopped,
    ask,
    /** Media events are caused by this module now, not by the user. */
    isBusy: () => isSwapping || isRecovering,
  };
}

// Whether nothing more has to be loaded from here to the end.
function isBuffered({ buffered, currentTime, duration }: HTMLMediaElement): boolean {
  for (let index = 0; index < buffered.length; index += 1)
    if (buffered.start(index) <= currentTime && buffered.end(index) >= duration - 0.5) return true;
  return false;
}
