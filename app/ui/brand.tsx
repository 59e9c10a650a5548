/** The dot itself, as a marker. Decorative: whatever it marks must also say so in words. */
export function Dot({ className = "" }: { className?: string }) {
  return <span className={`dot ${className}`} aria-hidden="true" />;
}

/** The brand's name, ending in the dot as others end in a full stop. Scales with font-size. */
export function Wordmark({ name }: { name: string }) {
  return (
    <span className="wordmark">
      {/* The joiner keeps the dot on the line of the last letter. */}
      {`${name}\u2060`}
      <Dot />
    </span>
  );
}

/** The breathing dot, after the first 300 ms. `role="status"`: waiting is announced politely. */
export function LoadingMark() {
  return (
    <span role="status" className="loading-mark">
      <span className="sr-only">Loading</span>
    </span>
  );
}
