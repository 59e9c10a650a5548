import type { KeepState } from "~/ui/keeping/keeper.ts";
import { journalPath } from "../notebook/texts.ts";

const words: Record<KeepState, string> = {
  idle: "",
  writing: "",
  kept: "What you wrote is kept as a draft. Only you can see it.",
  "only-here":
    "What you wrote could not be saved, and this browser keeps nothing. It is only in this page: please copy it to a safe place.",
  unreachable: "The site cannot be reached just now. What you wrote is kept on this device.",
  full: "There is no room left for more of your words. What you wrote is kept on this device.",
  refused:
    "This draft could not be saved on the site. It is kept on this device; please copy what matters to a safe place.",
  "signed-out": "You have been signed out. What you wrote is kept on this device.",
};

/**
 * One quiet line about where the words are. Read out only when something is in the way;
 * `isTold` when a notice below says so already.
 */
export function KeepLine({ state, isTold }: { state: KeepState; isTold: boolean }) {
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
          Make room in My journal
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
