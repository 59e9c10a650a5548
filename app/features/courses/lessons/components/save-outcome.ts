import type { SaveProblem } from "../../editor/commands.server.ts";
import { formMessages } from "../texts.ts";

/**
 * What became of a save when the server's answer was none of its own; null when it leads elsewhere.
 * `reason` is what to say of it, unless its author is signed out.
 */
export function problemOf(error: unknown, reason: string): SaveProblem | null {
  const leads = error instanceof Response ? error.headers.get("Location") : null;
  if (leads && !leads.startsWith("/auth")) return null;
  const message = leads ? formMessages.signedOut : reason;
  const toast = { title: "Error", description: message, tone: "destructive" };
  document.dispatchEvent(new CustomEvent("toast", { detail: toast }));
  return {
    message,
    errors: {},
    detail: null,
    proposal: null,
    other: null,
    signedOut: leads !== null,
    fields: null,
    revision: 0,
    drafts: [],
  };
}
