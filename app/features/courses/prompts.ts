import { courseMessages } from "./messages.ts";
import type { Prompt } from "./schema.ts";

/** Answers are stored with their questions: these limits are those of a student's journal. */
export const maxPrompts = 100;
export const maxQuestion = 2_000;
const maxText = 300_000;

/** The value of the prompts field: leave them unchanged, or the new prompts (null: none). */
export type PromptsAsked = "keep" | Prompt[] | null;
export type PromptsError = { message: string; detail: string | null };

const refused = (detail: string | null): { error: PromptsError } => ({
  error: { message: courseMessages.invalidPrompts, detail },
});

/** Reads the prompts field (spec 5), raw JSON. Empty leaves the prompts unchanged (a new lesson has
 * none); a list without questions clears them. Empty rows are dropped; unknown keys are an error,
 * because dropping them would lose text. */
export function readPrompts(raw: string): { asked: PromptsAsked } | { error: PromptsError } {
  if (raw.trim() === "") return { asked: "keep" };
  if (raw.length > maxText) return refused("It is too long.");
  const value = parsed(raw);
  if (value === undefined) return refused(null);
  if (value === null) return { asked: null };
  if (!Array.isArray(value)) return refused('It must be a list: [{"question": "…"}]');
  const prompts: Prompt[] = [];
  for (const [index, row] of value.entries()) {
    const wrong = whatIsWrong(row);
    if (wrong) return refused(`Prompt ${index + 1} ${wrong}`);
    const { question = "", placeholder = "" } = row as Partial<Prompt>;
    if (question.trim() || placeholder.trim())
      prompts.push({ question: question.trim(), placeholder: placeholder.trim() });
  }
  if (prompts.length > maxPrompts) return refused(`A lesson has ${maxPrompts} prompts at most.`);
  return { asked: prompts.length > 0 ? prompts : null };
}

/** Completes 'Prompt 2 …' with what is wrong with a row; null if it is valid. */
function whatIsWrong(row: unknown): string | null {
  if (!isObject(row)) return 'must have the form {"question": "…", "placeholder": "…"}.';
  const { question = "", placeholder = "", ...rest } = row;
  const unknown = Object.keys(rest);
  if (unknown.length > 0)
    return `has a part that would be lost: ${unknown.join(", ")}. Use question and placeholder.`;
  if (typeof question !== "string" || typeof placeholder !== "string")
    return "must have texts as question and placeholder.";
  if (Math.max(question.length, placeholder.length) > maxQuestion)
    return `has more than ${maxQuestion.toLocaleString("en-US")} characters.`;
  if (!question.trim() && placeholder.trim()) return "needs a question.";
  return null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

/** Prompts as the field shows them: formatted JSON, or empty. */
export function promptsText(prompts: readonly Prompt[] | null): string {
  return prompts && prompts.length > 0 ? JSON.stringify(prompts, null, 2) : "";
}

/** The field as editable rows, blank ones included; null if rows cannot show all of its content. */
export function promptRows(raw: string): Prompt[] | null {
  if (raw.trim() === "") return [];
  const value = parsed(raw);
  if (value === null) return [];
  if (!Array.isArray(value)) return null;
  const rows: Prompt[] = [];
  for (const row of value) {
    if (!isObject(row)) return null;
    const { question = "", placeholder = "", ...rest } = row;
    const whole = typeof question === "string" && typeof placeholder === "string";
    if (!whole || Object.keys(rest).length > 0) return null;
    rows.push({ question, placeholder });
  }
  return rows;
}

/** Rows as the field's JSON. No rows are '[]': an empty field would leave the prompts unchanged. */
export function rowsText(rows: readonly Prompt[]): string {
  return JSON.stringify(rows, null, 2);
}

export function moveItem<T>(list: readonly T[], from: number, to: number): T[] {
  const others = list.toSpliced(from, 1);
  return others.toSpliced(to, 0, list[from] as T);
}
