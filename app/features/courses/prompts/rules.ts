import type { Prompt } from "../schema.ts";
import { messages } from "../texts.ts";

/* No zod: the browser says the same while the prompts are written. */

/** A student's answers are kept beside their questions: as many, and as long, as her journal takes. */
export const maxPrompts = 100;
export const maxQuestion = 2_000;
const maxText = 300_000;

/** What the prompts field says: to leave them as they are, or what they are from now on (null: none). */
export type PromptsAsked = "keep" | Prompt[] | null;
/** The message of spec 8, and what is wrong in words where more can be said. */
export type PromptsError = { message: string; detail: string | null };

const refused = (detail: string | null): { error: PromptsError } => ({
  error: { message: messages.invalidPrompts, detail },
});

/**
 * Reads the prompts field (spec 5): raw JSON. Empty keeps what there is, which for a new lesson
 * is nothing; a list without questions clears. Rows with nothing in them are left out. What a
 * prompt does not know is refused: dropping it would lose words.
 */
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

/** What a row of the list is refused for, to be read after 'Prompt 2 '; null when it can stay. */
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

/** Prompts as the field shows them: readable JSON, or nothing. */
export function promptsText(prompts: readonly Prompt[] | null): string {
  return prompts && prompts.length > 0 ? JSON.stringify(prompts, null, 2) : "";
}

/**
 * The field as rows to be edited one by one, blank ones too, with the words as they are.
 * Null where it holds something that rows could not show whole.
 */
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

/** Rows as the field holds them. Without any it says so: empty would keep what was there. */
export function rowsText(rows: readonly Prompt[]): string {
  return JSON.stringify(rows, null, 2);
}

/** A list with one entry at another place. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const others = list.toSpliced(from, 1);
  return others.toSpliced(to, 0, list[from] as T);
}
