import { z } from "zod";
import { draftSave } from "~/features/drafts/schema.ts";
import { issueMessages, longestIssue } from "./messages.ts";

// A line of an email's head: what would end it is left out.
const line = (max: number, tooLong: string) =>
  z
    .string()
    .overwrite((text) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim())
    .max(max, tooLong);

/** What is written of an issue. Anything may be missing until it is sent. */
export const issueWords = z.object({
  subject: line(longestIssue.subject, issueMessages.longSubject),
  preview: line(longestIssue.preview, issueMessages.longPreview),
  body: z
    .string()
    .overwrite((text) => text.replaceAll(/\r\n?/g, "\n").replaceAll("\0", "").toWellFormed())
    .max(longestIssue.body, issueMessages.longBody),
});

export type IssueWords = z.infer<typeof issueWords>;

/** An autosave of an issue. */
export const issueSave = draftSave.extend(issueWords.shape);

export type IssueSave = z.infer<typeof issueSave>;

const segment = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("all") }),
  z.object({ kind: z.literal("course"), productId: z.string().min(1, issueMessages.noCourse) }),
  z.object({ kind: z.literal("without-account") }),
  z.object({ kind: z.literal("new-since"), since: z.iso.date(issueMessages.noDay) }),
]);

/** How an issue is to be sent, as the form has it. */
export const sendOptions = z.object({
  segment,
  /** '' for now, else a time in the coach's zone: '2026-11-30T08:00'. */
  at: z.string().max(20),
  inMorning: z.boolean(),
  warmUp: z.boolean(),
  portion: z
    .number(issueMessages.portionUnclear)
    .int(issueMessages.portionUnclear)
    .min(1, issueMessages.portionUnclear)
    .max(99, issueMessages.portionUnclear)
    .nullable(),
  inArchive: z.boolean(),
  /** As part of the welcome series, so many days after confirming; null for all who are on the list. */
  welcomeDay: z
    .number(issueMessages.dayUnclear)
    .int(issueMessages.dayUnclear)
    .min(0, issueMessages.dayUnclear)
    .max(longestIssue.welcomeDays, issueMessages.dayUnclear)
    .nullable(),
});

export type SendOptions = z.infer<typeof sendOptions>;

const wholeNumber = (text = "") => (/^\d{1,3}$/.test(text.trim()) ? Number(text) : Number.NaN);

/** The form's fields as {@link sendOptions} has them. */
export function readSendOptions(form: Record<string, string | undefined>) {
  const { kind = "all", productId = "", since = "", when = "now", at = "" } = form;
  if (when === "welcome")
    return sendOptions.safeParse({
      ...{ segment: { kind: "all" }, at: "", inMorning: false, warmUp: false, portion: null },
      ...{ inArchive: false, welcomeDay: wholeNumber(form.welcomeDay) },
    });
  return sendOptions.safeParse({
    segment: { kind, productId, since },
    at: when === "now" ? "" : at || "unclear",
    inMorning: when === "at" && form.inMorning === "on",
    warmUp: form.warmUp === "on",
    portion: form.isPortion === "on" ? Number(form.portion) : null,
    inArchive: form.inArchive === "on",
    welcomeDay: null,
  });
}
