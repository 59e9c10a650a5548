import type { AutosaveState } from "~/ui/autosave.ts";
import { AutosaveStatus } from "~/ui/autosave-status.tsx";

const twoDigits = (number: number) => String(number).padStart(2, "0");

const savedMessage = (at: Date | null) =>
  at ? `Saved as a draft at ${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}` : "";

const messages = {
  "only-here":
    "Not saved, and this browser keeps nothing: your words are only in this page. Please copy them to a safe place.",
  unreachable: "Not saved: no connection; your words are kept on this device",
  full: "Not saved as a draft: your text is on this device",
  refused: "Not saved as a draft: your text is on this device",
  "signed-out": "Not saved: you have been signed out; your text is on this device.",
};

/** Where the text of a lesson's form is; `savedAt` is when the server last had all of it. */
export function LessonAutosaveStatus(props: { state: AutosaveState; savedAt: Date | null }) {
  const saved = savedMessage(props.savedAt);
  return <AutosaveStatus state={props.state} messages={{ ...messages, writing: saved, saved }} />;
}
