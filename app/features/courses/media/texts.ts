/** The two kinds of lesson media, and the bucket of each (spec 7, Storage). */
export const mediaBuckets = { video: "course-videos", audio: "course-audio" } as const;
export type MediaKind = keyof typeof mediaBuckets;

/**
 * What may be uploaded: endings of file names, the type each is served as, and the family of
 * formats that its bytes must belong to. One list for the form, the upload and the server.
 */
export const mediaTypes = {
  video: {
    mp4: { type: "video/mp4", family: "mp4" },
    m4v: { type: "video/mp4", family: "mp4" },
    mov: { type: "video/quicktime", family: "mp4" },
    webm: { type: "video/webm", family: "webm" },
  },
  audio: {
    mp3: { type: "audio/mpeg", family: "mp3" },
    m4a: { type: "audio/mp4", family: "mp4" },
    aac: { type: "audio/aac", family: "aac" },
    ogg: { type: "audio/ogg", family: "ogg" },
    wav: { type: "audio/wav", family: "wav" },
    flac: { type: "audio/flac", family: "flac" },
  },
} as const satisfies Record<MediaKind, Record<string, { type: string; family: string }>>;

const wanted = {
  video: "Choose an MP4, M4V, MOV or WebM file.",
  audio: "Choose an MP3, M4A, AAC, OGG, WAV or FLAC file.",
} as const;

/** Uploads that an administrator, and all of them, may have begun and not finished. */
export const mostOpen = 50;
export const mostOpenInAll = 200;

/** How long an upload stays that was announced and of which no byte has come, in hours. */
export const announcedHours = 1;
/** Why a file is not taken. Each says what is wrong, and what to do. */
export const refusals = {
  ending: wanted,
  notMedia: {
    video: `This is not a video for web pages, whatever its name says. ${wanted.video}`,
    audio: `This is not audio for web pages, whatever its name says. ${wanted.audio}`,
  },
  audioInVideo: "This is an audio file without a picture. Upload it as the lesson’s audio.",
  videoInAudio: "This is a video. Upload it as the lesson’s video.",
  damaged: "This file is damaged or incomplete. Export it again, then upload it again.",
  empty: "This file is empty. Choose another one.",
  nameless: "This file has no name. Choose another one.",
  noModule: "Choose a module for this lesson first, then upload again.",
  moduleGone: "This module was deleted. Choose another module, then upload again.",
  noLesson: "It is not clear which lesson this file is for. Reload the page, then upload again.",
  diskFull:
    "The disk of the site is full. Nothing of this file was kept. Make room on it, then upload again.",
  tooManyOpen: `There are ${mostOpen} unfinished uploads of yours, or ${mostOpenInAll} in all. Finish or remove some of them, then upload again.`,
  notOffered: "An upload begins with its whole length, and is one file.",
  gone: "This upload is no longer there. Choose the file again.",
  otherFile:
    "There is another file by now, and it was left where it is. Look at it first; then remove it if you want to.",
  incomplete: "This upload is not complete yet.",
  failed: "The upload was interrupted by the site. What has arrived is kept: go on with it.",
} as const;

/** How long an upload stays after its last byte, and a file that no lesson uses any more, in days. */
export const keptDays = 7;
/** How long a deleted lesson can be restored, in days. */
export const restorableDays = 30;
