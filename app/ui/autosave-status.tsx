import { type ReactNode, useEffect, useState } from "react";
import type { AutosaveState } from "./autosave.ts";

export const signedInPath = "/auth/signed-in";

/** For links to sign in again in a new tab, so that the text in this one stays. */
export const signInAgain = {
  href: `/auth?redirect=${signedInPath}`,
  target: "_blank",
  rel: "noreferrer",
};

export function SignInAgain() {
  return <a {...signInAgain}>Sign in again in a new tab</a>;
}

export type AutosaveMessages = Record<Exclude<AutosaveState, "idle">, string>;

/** Describes the boxes of the form; a page has one. */
export const autosaveStatusId = "autosave-status";

type Props = {
  state: AutosaveState;
  messages: AutosaveMessages;
  /** A notice on the page reports the problem already. */
  isReported?: boolean;
  /** Where somebody makes room for more drafts. */
  whenFull?: ReactNode;
};

/** Where the text of a form is; read out when it is first saved, and when something is wrong. */
export function AutosaveStatus({ state, messages, isReported = false, whenFull }: Props) {
  const [isKnown, setIsKnown] = useState(false);
  useEffect(() => {
    if (state === "saved") return () => setIsKnown(true);
  }, [state]);
  const isProblem = state !== "idle" && state !== "writing" && state !== "saved";
  if (isProblem && isReported) return <p id={autosaveStatusId} hidden />;
  return (
    <p
      id={autosaveStatusId}
      className={`min-h-6 text-sm ${isProblem ? "text-clay" : "text-ink-soft"}`}
      aria-live={isProblem || !isKnown ? "polite" : "off"}
    >
      {state !== "idle" && messages[state]} {state === "full" && whenFull}
      {state === "signed-out" && <SignInAgain />}
    </p>
  );
}
