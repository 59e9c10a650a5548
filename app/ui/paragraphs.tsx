type Props = { of: string[]; className: string };

/** Plain text as it was typed, with its line breaks; nothing without paragraphs. */
export function Paragraphs({ of, className }: Props) {
  if (of.length === 0) return null;
  return (
    <div className={`whitespace-pre-line ${className}`}>
      {of.map((paragraph, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may be alike; they never move
        <p key={at} className={at > 0 ? "mt-[0.8em]" : undefined}>
          {paragraph}
        </p>
      ))}
    </div>
  );
}
