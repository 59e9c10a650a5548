import { saveEveryMs } from "../messages.ts";
import { resumeAt } from "../rules.ts";
import type { Media, Position } from "../schema.ts";
import { createMediaAddress, type Stop } from "./media-address.ts";
import { createMediaPosition } from "./media-position.ts";
import { rememberCaptions, rememberSpeed } from "./media-preferences.ts";
import { onLockScreen } from "./media-session.ts";

export type Status =
  | { is: "quiet" }
  | { is: "continued"; fromMs: number }
  | { is: "stopped"; why: Stop }
  | { is: "replaced"; media: Media };

export type PlaybackSetup = {
  media: Media;
  expiresInMs: number;
  slug: string;
  lesson: { id: string; key: string; title: string };
  courseTitle: string;
  siteName: string;
  /** Null for an administrator's preview: nothing is recorded. */
  userId: string | null;
  onStatus: (status: Status) => void;
  /** Playback has left its starting point: a message about that is obsolete. */
  onWellUnderWay: () => void;
};

/** Where playback starts when the page is opened, in ms. */
export const startOf = ({ position, durationMs }: Media) =>
  resumeAt(position?.positionMs ?? 0, durationMs);

// After this long in the background, another device may have gone on.
const absenceMs = 60_000;

/** Everything that a lesson's media does besides playing. `end` leaves nothing behind. */
export function startPlayback(element: HTMLMediaElement, setup: PlaybackSetup) {
  const { media, slug, lesson, onStatus } = setup;
  const startMs = startOf(media);
  const ending = new AbortController();
  const { signal } = ending;
  const on = (type: string, listener: () => void, target: EventTarget = element) =>
    target.addEventListener(type, listener, { signal });

  rememberSpeed(element, signal);
  rememberCaptions(element, signal);
  const about = { title: lesson.title, course: setup.courseTitle, site: setup.siteName };
  onLockScreen(element, about, signal);

  const { kind, key } = media;
  const { userId, expiresInMs } = setup;
  const own = { slug, lessonId: lesson.id, kind, key, known: media.position, startMs };
  const positions = userId ? createMediaPosition({ userId, ...own }) : null;
  const addresses = createMediaAddress(element, {
    source: `/courses/${slug}/learn/media?${new URLSearchParams({ lesson: lesson.key, ...(media.isSound && { listen: "on" }) })}`,
    ...{ kind, key, expiresInMs, startMs, signal },
    onStop: (why) => onStatus({ is: "stopped", why }),
    onGoingOn: () => onStatus({ is: "quiet" }),
    onReplaced: (other) => onStatus({ is: "replaced", media: other }),
  });

  // The user has started playback or moved: from here on, only the user changes the position.
  let isTouched = !element.paused;
  let keptAt = Date.now();
  let hiddenAt: number | null = null;

  const positionMs = () => element.currentTime * 1000;
  const durationMs = () =>
    Number.isFinite(element.duration) ? element.duration * 1000 : media.durationMs;

  function keep(isBeingDeleted = false) {
    keptAt = Date.now();
    if (element.readyState > 0 && isTouched) positions?.reached(positionMs(), isBeingDeleted);
  }

  // Moves to the position of another device, or of an earlier page.
  function goTo(position: Position) {
    const fromMs = resumeAt(position.positionMs, durationMs());
    positions?.moved(fromMs, position);
    element.currentTime = fromMs / 1000;
    onStatus(fromMs > 0 ? { is: "continued", fromMs } : { is: "quiet" });
  }

  async function lookForNews() {
    const found = await addresses.ask();
    if (signal.aborted || typeof found === "string" || !element.paused) return;
    const theirs = found[kind];
    if (theirs?.key === key && theirs.position && positions?.isNews(theirs.position))
      goTo(theirs.position);
  }

  async function handOver() {
    const sent = await positions?.handOver();
    if (sent && !signal.aborted && !isTouched && sent.savedAt !== media.position?.savedAt)
      goTo(sent);
  }

  // The length may be known only now: a student who was at the end starts over.
  function checkStart() {
    if (isTouched || startMs === 0 || resumeAt(startMs, durationMs()) > 0) return;
    positions?.moved(0, null);
    element.currentTime = 0;
    onStatus({ is: "quiet" });
  }

  function loaded() {
    checkStart();
    // Browsers play the sound of a film whose picture they cannot decode, and report no error.
    if (element instanceof HTMLVideoElement && element.videoWidth === 0)
      onStatus({ is: "stopped", why: "noPicture" });
  }

  on("play", () => {
    isTouched = true;
    pauseOthers(element);
    addresses.use();
  });
  on("seeking", () => {
    if (addresses.isBusy()) return;
    isTouched ||= positions?.isElsewhere(positionMs()) ?? false;
    addresses.use();
  });
  on("timeupdate", () => {
    if (element.paused || element.seeking) return;
    addresses.tick();
    if (Date.now() - keptAt < saveEveryMs) return;
    keep();
    setup.onWellUnderWay();
  });
  for (const event of ["pause", "seeked"])
    on(event, () => {
      if (!addresses.isBusy()) keep();
    });
  on("ended", () => keep());
  on("waiting", () => addresses.use());
  on("error", () => addresses.failed());
  on("loadedmetadata", loaded);
  on("pagehide", () => keep(true), window);
  on("online", backOnline, window);
  on("visibilitychange", seenOrHidden, document);

  function backOnline() {
    positions?.retry();
    void handOver();
    if (addresses.isStopped()) addresses.tryAgain();
  }

  function seenOrHidden() {
    if (document.visibilityState === "hidden") {
      hiddenAt = Date.now();
      return keep(true);
    }
    const wasAway = hiddenAt !== null && Date.now() - hiddenAt >= absenceMs;
    if (wasAway && element.paused) void lookForNews();
  }

  // What happened before the scripts were loaded.
  if (element.error) addresses.failed();
  else if (element.readyState > 0) loaded();
  void handOver();

  return {
    startOver() {
      isTouched = true;
      element.currentTime = 0;
      onStatus({ is: "quiet" });
    },
    tryAgain: () => addresses.tryAgain(),
    end() {
      keep(true);
      ending.abort();
    },
  };
}

function pauseOthers(playing: HTMLMediaElement) {
  for (const other of document.querySelectorAll<HTMLMediaElement>("video, audio"))
    if (other !== playing) other.pause();
}
