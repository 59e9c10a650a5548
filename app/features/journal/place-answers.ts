import type { Answer } from "./schema.ts";

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
