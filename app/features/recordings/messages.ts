export const recordingsPath = "/admin/newsletter/recordings";

/** In bytes: an hour of speech. */
export const maxRecordingMegabytes = 50;
export const maxRecordingBytes = maxRecordingMegabytes * 1e6;

/** Uploads of one admin. */
export const recordingsAnHour = 20;

export const unusedRecordingDays = 30;

/** What a file chooser offers. */
export const recordingTypes =
  ".mp3,.m4a,.aac,.ogg,.oga,.opus,audio/mpeg,audio/mp4,audio/aac,audio/ogg";

export const recordingMessages = {
  empty: "This file is empty. Choose a recording.",
  noSound: "This is not a recording that browsers play. Use an MP3, M4A or OGG file.",
  broken:
    "This recording is incomplete, so it cannot be played. Save it again, then choose it here.",
  tooLarge: `This recording is larger than ${maxRecordingMegabytes} MB. Save it as MP3 or M4A, or in parts.`,
  tooMany: "Those were many recordings within an hour. Please go on in a while.",
  noRoom: "There is no room left for recordings on this machine. Nothing was changed.",
  cutOff: "The connection broke before all of it had arrived. Please try again.",
  slow: "It could not be read in time. Please try again in a moment.",
  gone: "A recording in this text is not here any more. Remove its line, or upload it again.",
  signedOut: "You are not signed in as an administrator here any more.",
  notAdmin: "Only administrators can upload recordings.",
  offline: "The upload did not reach the site. Please try again in a moment.",
  failed: "That did not work. Please try again in a moment.",
} as const;
