import type { AutosaveState } from "~/ui/autosave.ts";

const words: Record<AutosaveState, string> = {
  idle: "",
  kept: "",
  writing: "",
  "only-here":
    "Not saved, and this browser keeps nothing: your words are only in this page. Please copy them to a safe place.",
  unreachable: "Not saved: no connection; your words are kept on this device",
  full: "Not saved as a draft: your text is on this device",
  refused: "Not saved as a draft: your text is on this device",
  "signed-out": "Not saved: you have been signed out; your text is on this device.",
};

const twoDigits = (number: number) => String(number).padStart(2, "0");

export function LessonAutosaveStatus({
  state,
  keptAt,
}: {
  state: AutosaveState;
  keptAt: Date | null;
}) {
  const trouble = state !== "idle" && state !== "writing" && state !== "kept";
  const time = keptAt && `${twoDigits(keptAt.getHours())}:${twoDigits(keptAt.getMinutes())}`;
  return (
    <p
      className={`keep-line ${trouble ? "keep-line-trouble" : ""}`}
      aria-live={trouble ? "polite" : "off"}
    >
      {!trouble && state !== "idle" && time ? `Saved as a draft at ${time}` : words[state]}{" "}
      {state === "signed-out" && (
        <a href="/auth" target="_blank" rel="noreferrer">
          Sign in again in a new tab
        </a>
      )}
    </p>
  );
}
