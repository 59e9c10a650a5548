import type { SaveProblem } from "../editor.server.ts";
import { formMessages } from "../messages.ts";

const awayMessages = {
  "signed-out": formMessages.signedOut,
  "no-administrator": formMessages.noAdministrator,
};

/** The problem of a save without an answer of its own; `reason` is shown unless access was lost. */
export function problemOf(away: keyof typeof awayMessages | null, reason: string): SaveProblem {
  const message = away ? awayMessages[away] : reason;
  const toast = { title: "Error", description: message, tone: "destructive" };
  document.dispatchEvent(new CustomEvent("toast", { detail: toast }));
  return {
    message,
    errors: {},
    detail: null,
    proposal: null,
    other: null,
    signedOut: away !== null,
    fields: null,
    revision: 0,
    drafts: [],
  };
}
