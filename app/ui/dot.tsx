type DotProps = { className?: string };

/** The dot itself, as a marker. Decorative: whatever it marks must also say so in words. */
export function Dot({ className = "" }: DotProps) {
  return <span className={`dot ${className}`} aria-hidden="true" />;
}
