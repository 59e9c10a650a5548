/** What the media of a lesson say about themselves, in plain words. */
export const messages = {
  noCourse: "This course does not exist.",
  noLesson: "This lesson does not exist.",
  noFile: "This lesson has no such file.",
  noCaptions: "This lesson has no captions.",
  notAPosition: "This is not a position.",
  tooFast: "These come too fast. Please try again in a moment.",
  signedOut: "You have been signed out. Sign in again to go on.",
} as const;

/** Why a video or an audio does not go on, in its player. */
export const stops = {
  failed: "It stopped loading. Your place is kept.",
  offline: "There is no connection just now. Your place is kept.",
  signedOut: "You have been signed out. Sign in again in a new tab, then come back to this one.",
  closed: "It is not open to you any more.",
} as const;
export const replaced = "This was replaced by a new one, which starts here.";

/** Speeds to choose from, in the order of the list. */
export const speeds = [0.75, 1, 1.25, 1.5, 1.75, 2] as const;

/** How far one press goes back or forward, in seconds. */
export const stepSeconds = 10;

/** While something plays, its position is saved about this often, in ms. */
export const saveEveryMs = 10_000;

/** An address is renewed so long before its end, in ms. */
export const renewAheadMs = 5 * 60_000;
