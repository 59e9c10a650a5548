import { readSeenDrafts } from "~/features/drafts/rules.ts";
import { newId } from "~/platform/db/ids.ts";
import { failure, redirectWithToast, type Toast } from "~/platform/http/flash.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { resumeIssue, sendDoubtfulAgain, stopIssue, unscheduleIssue } from "./dispatch.server.ts";
import { createIssue, deleteIssue, saveIssue, showInArchive } from "./issues.server.ts";
import { adminIssuePath, adminNewsletterPath, issueMessages, issueToasts } from "./messages.ts";
import { type IssueWords, issueWords } from "./schema.ts";

type Fields = Record<string, string | undefined>;

/** Does what a button of an issue's page says. @returns where to go on
 * @throws {Refused} conflict, not_found, invalid for a button that there is not */
export async function changeIssue(services: Services, id: string, intent: string) {
  if (intent === "duplicate") {
    const copy = await createIssue(services, id);
    return redirectWithToast(adminIssuePath(copy), issueToasts.duplicated);
  }
  if (intent === "delete") {
    await deleteIssue(services, id);
    return redirectWithToast(adminNewsletterPath, issueToasts.deleted);
  }
  const change = changes[intent];
  if (!change) throw new Refused("invalid", issueMessages.failed);
  const [run, toast] = change;
  await run(services, id);
  return redirectWithToast(adminIssuePath(id), toast);
}

type Change = [(services: Services, id: string) => Promise<void>, Toast];

const changes: Record<string, Change | undefined> = {
  unschedule: [unscheduleIssue, issueToasts.unscheduled],
  stop: [stopIssue, issueToasts.stopped],
  resume: [resumeIssue, issueToasts.resumed],
  again: [sendDoubtfulAgain, issueToasts.again],
  show: [(services, id) => showInArchive(services, id, true), issueToasts.shown],
  hide: [(services, id) => showInArchive(services, id, false), issueToasts.hidden],
};

export type IssueFormProblem = { field: string; message: string; words: IssueWords };

/** Saves the whole form. @returns what is wrong with it, with all that was typed; null when it is saved
 * @throws {Refused} not_found */
export async function saveIssueForm(
  services: Services,
  id: string,
  { subject = "", preview = "", body = "", drafts }: Fields,
): Promise<IssueFormProblem | null> {
  const words = { subject, preview, body };
  const [own, ...absorbed] = readSeenDrafts(drafts);
  const read = issueWords.safeParse(words);
  if (!read.success) {
    const [issue] = read.error.issues;
    const message = issue?.message ?? issueMessages.failed;
    return { field: String(issue?.path[0] ?? ""), message, words };
  }
  // Without scripts the form names only the save that it began with.
  const isPlain = absorbed.length === 0;
  const draft = isPlain
    ? { draftId: newId(), revision: 0, absorbed: own ? [own] : [] }
    : { draftId: own?.id ?? newId(), revision: own?.revision ?? 0, absorbed };
  try {
    await saveIssue(services, id, { ...draft, ...read.data });
    return null;
  } catch (error) {
    if (error instanceof Refused && error.code === "not_found") throw error;
    const { toast } = failure(services, error, issueMessages.failed);
    return { field: "", message: toast.description ?? toast.title, words };
  }
}
