import { useId } from "react";

/** What is said, to be read instead; closed until it is wanted, and printed. */
export function Transcript({ of, transcript }: { of: string; transcript: string[] }) {
  const id = useId();
  if (transcript.length === 0) return null;
  return (
    <details className="transcript" suppressHydrationWarning>
      <summary>
        <span id={id}>
          Transcript<span className="sr-only"> of the {of}</span>
        </span>
        <span className="accordion-sign" aria-hidden="true" />
      </summary>
      <div className="transcript-text" dir="auto">
        {transcript.map((paragraph, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two paragraphs may be alike; they never move
          <p key={index}>{paragraph}</p>
        ))}
      </div>
    </details>
  );
}
