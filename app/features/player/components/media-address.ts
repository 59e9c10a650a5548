import { renewAheadMs } from "../messages.ts";
import { addressState, retryDelayMs } from "../rules.ts";
import type { Media, PlayableMedia, PlaybackKind } from "../schema.ts";

export type Stop = "failed" | "offline" | "signedOut" | "closed";

type Setup = {
  source: string;
  kind: PlaybackKind;
  key: string;
  expiresInMs: number;
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

type Answer = PlayableMedia | "unreachable" | "signedOut" | "closed";

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

  // The user wants playback. Chromium pauses failed media before it reports the error.
  let isWanted = !media.paused;
  media.addEventListener(
    "play",
    () => {
      isWanted = true;
    },
    { signal },
  );
  media.addEventListener(
    "pause",
    () => {
      if (!media.error) isWanted = false;
    },
    { signal },
  );

  const state = () => addressState(endsAt, Date.now(), renewAheadMs);

  async function ask(): Promise<Answer> {
    askedAt = Date.now();
    try {
      const response = await fetch(source, { signal, headers: { Accept: "application/json" } });
      if (response.ok) return (await response.json()) as PlayableMedia;
      if (response.status === 401) return "signedOut";
      return response.status < 500 ? "closed" : "unreachable";
    } catch {
      return "unreachable";
    }
  }

  function take(answer: Answer): Answer {
    const fresh = typeof answer === "object" ? answer[kind] : null;
    if (typeof answer === "object" && fresh?.key === key)
      next = { url: fresh.url, endsAt: Date.now() + answer.expiresInMs - slackMs };
    return answer;
  }

  // Switches to the fresh URL and resumes at the same place, playing or paused as before.
  function swap(): void {
    if (!next) return;
    const at = media.currentTime;
    isSwapping = true;
    ({ endsAt } = next);
    media.src = next.url;
    next = null;
    media.currentTime = at;
    media.addEventListener(
      "loadedmetadata",
      () => {
        // For browsers that drop a position that is set before the media is loaded.
        if (Math.abs(media.currentTime - at) > 1) media.currentTime = at;
      },
      { once: true, signal },
    );
    const done = () => {
      isSwapping = false;
    };
    for (const event of ["loadeddata", "error"])
      media.addEventListener(event, done, { once: true, signal });
    if (isWanted) media.play().catch(() => {});
  }

  function stop(why: Stop): void {
    isStopped = true;
    setup.onStop(why);
  }

  async function recover(): Promise<void> {
    if (isRecovering) return;
    isRecovering = true;
    isStopped = false;
    failedAt = media.currentTime;
    const why = await freshAddress();
    isRecovering = false;
    if (signal.aborted) return;
    if (why) return stop(why);
    if (!next) return;
    setup.onGoingOn();
    swap();
  }

  // @returns why there is none
  async function freshAddress(): Promise<Stop | null> {
    for (;;) {
      const delay = retryDelayMs(tries);
      if (delay === null) return navigator.onLine ? "failed" : "offline";
      tries += 1;
      if (delay) await new Promise((resolve) => setTimeout(resolve, delay));
      if (signal.aborted) return null;
      // A URL that was prefetched may be what has just failed, so later tries ask again.
      const answer = next && tries === 1 ? null : take(await ask());
      if (answer === null) return null;
      if (answer === "unreachable") continue;
      if (typeof answer === "string") return answer;
      const fresh = answer[kind];
      // The storage does not answer, or the file is being replaced.
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
    async tick(): Promise<void> {
      if (tries && Math.abs(media.currentTime - failedAt) > recoveredSeconds) tries = 0;
      const isDue = state() !== "good" && !next && !isRecovering;
      if (isDue && Date.now() - askedAt > slackMs) take(await ask());
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
    /** Asks at once, and uses the URL that it learns. */
    look: async () => take(await ask()),
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
