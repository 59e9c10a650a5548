import type { AutosaveState } from "~/ui/autosave.ts";
import { type AutosaveMessages, AutosaveStatus } from "~/ui/autosave-status.tsx";
import { journalPath } from "../messages.ts";

const messages: AutosaveMessages = {
  writing: "",
  saved: "What you wrote is saved as a draft. Only you can see it.",
  "only-here":
    "What you wrote could not be saved, and this browser keeps nothing. It is only in this page: please copy it to a safe place.",
  unreachable: "The site cannot be reached just now. What you wrote is saved on this device.",
  full: "Your journal has used all of its storage. What you wrote is saved on this device.",
  refused:
    "This draft could not be saved on the site. It is saved on this device; please copy what matters to a safe place.",
  "signed-out": "You have been signed out. What you wrote is saved on this device.",
};

/** Where the answers of a form are. */
export function JournalAutosaveStatus(props: { state: AutosaveState; isReported: boolean }) {
  return <AutosaveStatus {...props} messages={messages} whenFull={<FreeUpSpace />} />;
}

/** In a new tab, so that the answers in this one stay. */
export function FreeUpSpace() {
  return (
    <a href={journalPath} target="_blank" rel="noreferrer">
      Free up space in My journal
    </a>
  );
}
