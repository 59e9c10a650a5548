/** The brand's name, ending in the dot as others end in a full stop. Scales with font-size. */
export function Wordmark({ name, className = "" }: { name: string; className?: string }) {
  return (
    <span className={`wordmark ${className}`}>
      {/* The joiner keeps the dot on the line of the last letter. */}
      {`${name}\u2060`}
      <span className="dot" aria-hidden="true" />
    </span>
  );
}
