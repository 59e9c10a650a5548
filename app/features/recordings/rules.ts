import { inBrackets } from "~/features/pictures/rules.ts";

/** What a script gets back of a new recording. */
export type AddedRecording = { id: string };

/** A file's type by what its bytes are (platform/uploads/inspect.ts); null for what is no sound, or
 * what few browsers play. Phones put sound alone into an MP4 file. */
export function recordingType(
  extension: string | null,
  tracks: { audio: boolean; video: boolean } | null,
): "mp3" | "m4a" | "aac" | "ogg" | null {
  if (tracks?.video || tracks?.audio === false) return null;
  switch (extension) {
    case "mp3":
    case "aac":
      return extension;
    case "m4a":
    case "m4b":
      return "m4a";
    case "mp4":
      return tracks?.audio ? "m4a" : null;
    case "ogg":
    case "oga":
    case "opus":
      return "ogg";
    default:
      return null;
  }
}

const id = "[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}";

/** The recordings that a Markdown text names, each once: `[Listen: Title](recording:ID)`. */
export function recordingsIn(markdown: string): string[] {
  const found = markdown.matchAll(new RegExp(`\\brecording:(${id})`, "g"));
  return [...new Set([...found].map(([, name = ""]) => name))];
}

/** The title of a recording by its file's name: 'The morning walk' of 'The_morning-walk.m4a'. */
function titleOf(fileName: string): string {
  const name = fileName.replace(/\.[a-z\d]{1,5}$/i, "").replace(/[_-]+/g, " ");
  return inBrackets(name.slice(0, 120)) || "the recording";
}

export function recordingLine(recordingId: string, fileName: string): string {
  return `[Listen: ${titleOf(fileName)}](recording:${recordingId})`;
}

/** In the place of a recording until it has arrived. */
export function waitingRecordingLine(upload: string, fileName: string): string {
  return recordingLine(`uploading-${upload}`, fileName);
}

/** Whether a text names a recording that has not arrived. */
export function hasWaitingRecording(markdown: string): boolean {
  return markdown.includes("](recording:uploading-");
}

/** '4:05', or '1:02:30'. */
export function recordingLength(seconds: number): string {
  const two = (number: number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}
