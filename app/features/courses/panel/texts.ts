/** What is said when an answer did not come, or did not come from us. */
export const troubles = {
  unreachable: "The site cannot be reached. Nothing is lost: try again in a moment.",
  signedOut: "You are signed out. Sign in again in another tab, then come back and try again.",
  failed: "That did not work. Nothing is lost: try again in a moment.",
  fileChanged:
    "This file was changed or moved on this computer while it was being sent. Choose it again.",
} as const;

export const mediaKinds = ["video", "audio"] as const;

export const kindWords = {
  video: { title: "Video", choose: "Choose a video file", a: "a video", the: "the video" },
  audio: { title: "Audio", choose: "Choose an audio file", a: "an audio file", the: "the audio" },
} as const;

export const panelWords = {
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
