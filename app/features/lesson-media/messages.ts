export const mediaBuckets = { video: "course-videos", audio: "course-audio" } as const;
export type MediaKind = keyof typeof mediaBuckets;

/** What can be uploaded for a lesson: its media, and files that students download. */
export const uploadBuckets = { ...mediaBuckets, file: "course-files" } as const;
export type UploadKind = keyof typeof uploadBuckets;

/** Accepted file extensions, the type each is served as, and the format family that the bytes must
 * have. The form, the upload and the server share this list. */
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

/** The most unfinished uploads of one admin, and of all. */
export const mostOpen = 50;
export const mostOpenInAll = 200;

/** For how many hours an upload without a byte stays. */
export const announcedHours = 1;
export const uploadRefusals = {
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
  noFilm: "The film that this was made of is no longer there.",
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

/** For how many days an upload stays after its last byte, and a file that no lesson uses. */
export const unusedMediaDays = 7;
/** For how many days a deleted lesson can be restored. */
export const restorableDays = 30;

export const mediaProblems = {
  unreachable: "The site cannot be reached. Nothing is lost: try again in a moment.",
  signedOut: "You are signed out. Sign in again in another tab, then come back and try again.",
  smallPieces:
    "The server in front of this site takes only small pieces. Ask the person who set it up to let through 10 MB at once. Nothing is lost.",
  failed: "That did not work. Nothing is lost: try again in a moment.",
  fileChanged:
    "This file was changed or moved on this computer while it was being sent. Choose it again.",
} as const;

/** Of films that are converted in the coach's browser. */
export const conversionMessages = {
  offer:
    "It can be made to play everywhere, here in this browser: a film in 1080p, a small one for phones, and its sound alone. How long that takes is known after the first seconds. Leave this tab open.",
  convert: "Make it play everywhere",
  asItIs: "Upload it as it is",
  other: "Choose another file",
  cannot: "This browser cannot convert it. As it is, it may stay black on some devices.",
  cannotLarge: "This browser cannot convert it. As it is, it may stop to load on slow connections.",
  converting: (percent: number) =>
    `Being converted, ${percent} %. Until that is done, students see the film as it is.`,
  made: (names: string[]) => `Made of it: ${names.join(", ").toLowerCase()}.`,
  siteCan: "The site converts it after the upload; until that is done, the film plays as it is.",
  unreadable:
    "What it is made of cannot be read. It may be damaged, or not end where it should. The site looks at it again when it has arrived.",
  elsewhere:
    "Another tab is converting a film. Wait until it has uploaded it, then choose this one again.",
  noRoom:
    "There is not enough room on this computer to convert it. Make room, or upload it as it is.",
  failed:
    "This browser could not convert it. Upload it as it is, or export it as H.264 with AAC sound.",
} as const;

/** Why the site did not convert a film, which stays as it was. */
export const conversionFaults = {
  damaged: {
    title: "The site cannot convert this film",
    text: "The film is there as it was uploaded. Export it as H.264 with AAC sound, then replace it.",
  },
  slow: {
    title: "Converting this film took too long",
    text: "The film is there as it was uploaded. Export it as H.264 at 1080p, then replace it.",
  },
  room: {
    title: "There was no room to convert this film",
    text: "The disk of the site is too full. The film is there as it was uploaded. Make room, then upload it again.",
  },
  stopped: {
    title: "Converting this film did not work",
    text: "It was tried three times, and stopped each time. The film is there as it was uploaded. Upload it again, or export it as H.264 with AAC sound.",
  },
  off: {
    title: "The site no longer converts films",
    text: "FFMPEG_PATH is not set any more. The film is there as it was uploaded.",
  },
} as const;
export type ConversionFault = keyof typeof conversionFaults;

export const renditionNames = {
  "1080p": "The film in 1080p",
  "480p": "The small film for phones",
  audio: "The sound alone",
} as const;

export const mediaKinds = ["video", "audio"] as const;
export const uploadKinds = [...mediaKinds, "file"] as const;

export const mediaKindMessages = {
  video: { title: "Video", choose: "Choose a video file", the: "the video" },
  audio: { title: "Audio", choose: "Choose an audio file", the: "the audio" },
} as const;

export const mediaPanelMessages = {
  removed: {
    video: { title: "Video removed", tone: "success" },
    audio: { title: "Audio removed", tone: "success" },
  },
  moduleFirst: "Choose a module first.",
  noLesson: "There is no such lesson.",
  saveFirst: "Save the lesson first; then captions and transcripts can be added here.",
  needsScripts: "Uploading needs JavaScript, which is off in this browser, or still loading.",
  noCaptions: "Some students cannot hear this. Captions help them.",
  noTranscript: {
    video:
      "Some students would rather read, or have no sound where they are. A transcript helps them.",
    audio: "Some students cannot hear this. A transcript helps them.",
  },
} as const;

/** Longest captions file, in bytes: two hours of talk from a machine, five from a person. */
export const captionsLimit = 512 * 1024;

/** Longest transcript, in characters: a book. */
export const transcriptLimit = 500_000;

export const captionsErrors = {
  empty: "There is nothing in it.",
  tooLong: "This is longer than captions of a video can be. Did you choose the right file?",
  notText: "This is not a captions file. Choose a file that ends in .vtt or .srt.",
  noHeader:
    "Line {line}: a captions file starts with the word WEBVTT. Was this saved as WebVTT (.vtt) or SubRip (.srt)?",
  noCaptions: "There are no captions in it: not one line says from when to when.",
  time: "Line {line}: this time cannot be read. It should look like 00:01:05.000 --> 00:01:08.500",
  backwards: "Line {line}: this caption ends before it begins.",
  noTime:
    "Line {line}: no time stands above these words. Is there an empty line too many before them?",
} as const;

export const captionsMessages = {
  saved: { title: "Captions saved", tone: "success" },
  converted: {
    title: "Captions saved",
    description: "They were in the SubRip format (.srt), and are kept as WebVTT.",
    tone: "success",
  },
  captionsChanged:
    "The captions were changed somewhere else since you opened them, and nothing was overwritten. What is there now is shown here. Look at it, then press again if you still want to.",
  captionsStale:
    "The captions were changed somewhere else since you opened this page, and were not overwritten. Reload the page to see what is there now, then do it again if you still want to.",
  removed: { title: "Captions removed", tone: "success" },
  transcriptSaved: { title: "Transcript saved", tone: "success" },
  transcriptTooLong: "This is longer than a transcript can be: 500,000 characters at most.",
  transcriptChanged:
    "This transcript was changed somewhere else since you opened it. Both versions are below; nothing was overwritten.",
  none: "This lesson has no captions.",
  unreadable: "This form cannot be read. Reload the page, then try again.",
  transcriptStale:
    "This transcript was changed somewhere else since you opened it, and was not overwritten. Copy your words, reload the page, and put the two together.",
  noLesson: "This lesson is not there any more.",
} as const;
