import type { Answer } from "../schema.ts";

/** What was typed into a lesson's boxes, to be read: each answer under its question. */
export function DraftWords({ answers }: { answers: Answer[] }) {
  return answers
    .filter(({ answer }) => answer.trim() !== "")
    .map(({ question, answer }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two questions may be alike; they never move
      <div key={index} className="mt-4">
        <p className="text-sm text-ink-soft">{question}</p>
        <p dir="auto" className="written">
          {answer}
        </p>
      </div>
    ));
}
