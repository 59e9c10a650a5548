import { failure } from "~/platform/http/failure.ts";
import type { Toast } from "~/platform/http/flash.ts";
import { MarkdownRefused } from "~/platform/markdown/refusal.ts";
import type { Services } from "~/platform/services.ts";
import { clockTime, dayInWords } from "~/platform/time/words.ts";
import { createLesson, type SaveResult, updateLesson } from "../lessons/commands.server.ts";
import type { LessonVersion } from "../lessons/queries.server.ts";
import { type LessonValues, readLesson } from "../lessons/rules.ts";
import { type FieldErrors, type Fields, typedFields } from "../lessons/schema.ts";
import { formMessages } from "../lessons/texts.ts";
import type { PromptsAsked } from "../prompts/rules.ts";
import { slugTexts } from "../slugs/texts.ts";
import { saved } from "../texts.ts";
import { plainBreaks } from "../versions/rules.ts";
import { discardWriting, rebaseWriting } from "../writing/commands.server.ts";
import { seenWriting } from "../writing/schema.ts";

/** What somebody else stored meanwhile. */
export type OtherVersion = { fields: Fields; revision: number; when: string };

/** Why a lesson was not saved, with every word that was sent. */
export type SaveProblem = {
  message: string;
  errors: FieldErrors;
  /** What is wrong with the prompts, beside the message of the specification. */
  detail: string | null;
  /** An address that is free, where the wanted one is taken. */
  proposal: string | null;
  other: OtherVersion | null;
  signedOut: boolean;
  /** As they were sent; null where they never left the browser, and stand in its form. */
  fields: Fields | null;
  revision: number;
  /** The drafts that belong to the words, as the form names them. */
  drafts: string[];
};

/** The revision that a form has become, by the draft whose form it is. */
export type Saved = { draftId: string; revision: number };

type Sent = { userId: string; lessonId: string; form: FormData; timeZone: string };

/**
 * Saves the form of a lesson, new or not: `revision` 0 says that its author knows of none that is
 * stored. Its drafts go with it.
 */
export async function saveFromForm(
  services: Services,
  { userId, lessonId, form, timeZone }: Sent,
): Promise<
  | { kind: "saved"; saved: Saved; toast: Toast }
  | { kind: "problem"; status: number; problem: SaveProblem; toast: Toast }
> {
  const entries = [...form].filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  const text = (value: string) => plainBreaks(value.replaceAll("\0", "").toWellFormed());
  const fields = typedFields.parse(
    Object.fromEntries(entries.map(([name, value]) => [name, text(value)])),
  );
  const revision = Math.min(Number(/^\d{1,9}$/.exec(String(form.get("revision")))?.[0] ?? 0), 1e9);
  const before = /^\d{1,9}$/.exec(String(form.get("orderBefore")))?.[0];
  const orderBefore = before === undefined ? null : Number(before);
  const drafts = String(form.get("drafts") ?? "")
    .split(" ")
    .slice(0, 20);
  const refused = (status: number, message: string, more: Partial<SaveProblem> = {}) => ({
    kind: "problem" as const,
    status,
    problem: { ...noProblem, message, fields, revision, drafts, ...more },
    toast: { title: "Error", description: message, tone: "destructive" as const },
  });

  // Somebody else may have signed in since in another tab: this is not her form.
  const owner = form.get("userId");
  if (owner && owner !== userId) return refused(401, formMessages.signedOut, { signedOut: true });
  const read = readLesson(fields);
  if ("errors" in read) {
    const [first = formMessages.failed] = Object.values(read.errors);
    return refused(400, first, read);
  }
  const result = await save(services, { id: lessonId, revision, orderBefore, read });
  if (result.kind === "saved") {
    const seen = drafts.map(seenWriting).filter((draft) => draft !== null);
    // The first is the form's own; the others are older ones whose words stand in it.
    const [draftId = ""] = (drafts[0] ?? "").split(":");
    const { db, clock } = services;
    const { revision } = result;
    try {
      await discardWriting(db.write, { userId, lessonId, drafts: seen }, clock.now());
      await rebaseWriting(db.write, { id: draftId, userId, lessonId, revision });
    } catch (error) {
      // The lesson is stored: a draft that stays is offered once more, and nothing is lost.
      services.log.error({ err: error }, "the drafts of a saved lesson could not be discarded");
    }
    return { kind: "saved", saved: { draftId, revision }, toast: saved("Lesson", result.how) };
  }
  if (result.kind === "stale") {
    const other = inWords(result.current, services.clock.now(), timeZone);
    return refused(409, formMessages.conflict, { other });
  }
  if (result.kind === "slug")
    return refused(409, slugTexts.taken.lesson, {
      errors: { slug: slugTexts.taken.lesson },
      proposal: result.proposal,
    });
  if (result.kind === "module")
    return refused(400, formMessages.moduleGone, { errors: { moduleId: formMessages.moduleGone } });
  if (result.kind === "failed") {
    const { status, message, errors } = result;
    return refused(status, message, { errors });
  }
  return refused(404, formMessages.gone);
}

const noProblem = { errors: {}, detail: null, proposal: null, other: null, signedOut: false };

type Read = { values: LessonValues; prompts: PromptsAsked };
type Failed = { kind: "failed"; status: number; message: string; errors: FieldErrors };

async function save(
  services: Services,
  {
    id,
    revision,
    orderBefore,
    read,
  }: { id: string; revision: number; orderBefore: number | null; read: Read },
): Promise<SaveResult | Failed> {
  const lesson = { id, ...read.values, prompts: read.prompts };
  try {
    return revision === 0
      ? await createLesson(services, lesson)
      : await updateLesson(services, { ...lesson, revision, orderBefore });
  } catch (error) {
    const fallback = revision === 0 ? formMessages.createFailed : formMessages.failed;
    const { status, message } = failure(services, error, fallback);
    const errors = error instanceof MarkdownRefused ? { content: message } : {};
    return { kind: "failed", status, message, errors };
  }
}

function inWords({ fields, revision, updatedAt }: LessonVersion, now: Date, timeZone: string) {
  const when = `${dayInWords(updatedAt, now, timeZone)} at ${clockTime(updatedAt, timeZone)}`;
  return { fields, revision, when };
}
