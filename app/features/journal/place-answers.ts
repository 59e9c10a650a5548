import type { Answer, ShownDraft } from "./schema.ts";

/** A text brought back beside one already typed: nothing of either is lost. */
export function mergeTexts(older: string, newer: string): string {
  if (older.trim() === "" || newer.includes(older)) return newer;
  if (newer.trim() === "" || older.includes(newer)) return older;
  return `${older}\n\n${newer}`;
}

/** Answers beside the questions they belong to, in order; of two equal questions the first answer
 * belongs to the first. `rest` are answers to questions that are asked no longer. */
export function matchAnswers(questions: readonly string[], answers: readonly Answer[]) {
  const rest = [...answers];
  const matched = questions.map((question) => {
    const index = rest.findIndex((answer) => answer.question === question);
    return index < 0 ? null : (rest.splice(index, 1)[0]?.answer ?? null);
  });
  return { matched, rest };
}

/** Answers laid into today's boxes. An answer to a question that the lesson no longer asks goes
 * into the last box, under its question: words are never dropped. */
export function placeAnswers(questions: readonly string[], answers: readonly Answer[]): string[] {
  const { matched, rest } = matchAnswers(questions, answers);
  const boxes = matched.map((answer) => answer ?? "");
  const last = boxes.length - 1;
  for (const { question, answer } of rest)
    if (last >= 0)
      boxes[last] = mergeTexts(boxes[last] ?? "", question ? `${question}\n${answer}` : answer);
  return boxes;
}

/** Of the drafts that the server and this device know, those with text of their own, newest first:
 * neither older states of another one nor those whose text is in another one. */
export function currentDrafts(known: readonly ShownDraft[]): ShownDraft[] {
  const isIn = (one: ShownDraft, other: ShownDraft) =>
    other.id === one.id
      ? (other.revision - one.revision || known.indexOf(one) - known.indexOf(other)) > 0
      : other.absorbed.some(({ id, revision }) => id === one.id && revision >= one.revision);
  return known
    .filter((one) => one.answers.some(({ answer }) => answer.trim() !== ""))
    .filter((one) => !known.some((other) => isIn(one, other)))
    .toSorted((one, other) => other.at - one.at);
}

const shownWords = 80;

export function firstWords(answers: readonly Answer[]): string {
  const text = answers.map(({ answer }) => answer.trim()).find(Boolean) ?? "";
  const line = text.slice(0, 4 * shownWords).replaceAll(/\s+/g, " ");
  return [...line].slice(0, shownWords).join("");
}
