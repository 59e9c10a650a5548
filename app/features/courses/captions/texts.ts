/** Longest captions file, in bytes: two hours of talk as machines write it, five as people do. */
export const captionsLimit = 512 * 1024;

/** Longest transcript, in characters: a book. */
export const transcriptLimit = 500_000;

/** What is said when captions cannot be read; '{line}' stands for the number of the line. */
export const captionsFaults = {
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

export const captionsWords = {
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
