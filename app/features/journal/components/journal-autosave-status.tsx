import type { AutosaveState } from "~/ui/autosave.ts";
import { journalPath } from "../messages.ts";

/** In a new tab, so that the words in this one stay where they are. */
export function SignInAgain() {
  return (
    <p className="mt-2">
      <a href="/auth" target="_blank" rel="noreferrer">
        Sign in again in a new tab
      </a>
    </p>
  );
}

const words: Record<AutosaveState, string> = {
  idle: "",
  writing: "",
  kept: "What you wrote is saved as a draft. Only you can see it.",
  "only-here":
    "What you wrote could not be saved, and this browser keeps nothing. It is only in this page: please copy it to a safe place.",
  unreachable: "The site cannot be reached just now. What you wrote is saved on this device.",
  full: "Your journal has used all of its storage. What you wrote is saved on this device.",
  refused:
    "This draft could not be saved on the site. It is saved on this device; please copy what matters to a safe place.",
  "signed-out": "You have been signed out. What you wrote is saved on this device.",
};

/**
 * One quiet line about where the words are. Read out only when something is in the way;
 * `isTold` when a notice below says so already.
 */
export function JournalAutosaveStatus({
  state,
  isTold,
}: {
  state: AutosaveState;
  isTold: boolean;
}) {
  const trouble = state !== "idle" && state !== "writing" && state !== "kept";
  if (trouble && isTold) return null;
  return (
    <p
      className={`min-h-6 text-sm ${trouble ? "text-clay" : "text-ink-soft"}`}
      aria-live={trouble ? "polite" : "off"}
    >
      {words[state]}{" "}
      {state === "full" && (
        <a href={journalPath} target="_blank" rel="noreferrer">
          Free up space in My journal
        </a>
      )}
      {state === "signed-out" && (
        <a href="/auth" target="_blank" rel="noreferrer">
          Sign in again in a new tab
        </a>
      )}
    </p>
  );
}
