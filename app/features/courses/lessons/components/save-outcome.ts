import type { SaveProblem } from "../../editor/commands.server.ts";
import { formMessages } from "../texts.ts";

const awayMessages = {
  "signed-out": formMessages.signedOut,
  "no-administrator": formMessages.noAdministrator,
};

/**
 * What became of a save when the server's answer was none of its own. `reason` is what to say of it,
 * unless its author was turned away.
 */
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
