type DotProps = { className?: string };

/** The dot itself, as a marker. Decorative: whatever it marks must also say so in words. */
export function Dot({ className = "" }: DotProps) {
  return <span className={`dot ${className}`} aria-hidden="true" />;
}

type LoadingMarkProps = {
  size?: "sm" | "md" | "lg" | "xl";
  /** Breathes, 4 s in and out; still where reduced motion is asked for. */
  animate?: boolean;
  /** Invisible for the first 300 ms, so that short waits do not flicker. */
  delayed?: boolean;
  /** Read out, never shown. Pass "" where the text beside it already says so. */
  label?: string;
  className?: string;
};

/** The breathing dot. `role="status"`, so that waiting is announced politely. */
export function LoadingMark({
  size = "md",
  animate = false,
  delayed = false,
  label = "Loading",
  className = "",
}: LoadingMarkProps) {
  const classes = [
    "loading-mark",
    `loading-mark-${size}`,
    animate && "loading-mark-animate",
    delayed && "loading-mark-delayed",
    className,
  ];
  const look = classes.filter(Boolean).join(" ");
  if (label === "") return <span className={look} aria-hidden="true" />;
  return (
    <span role="status" className={look}>
      <span className="sr-only">{label}</span>
    </span>
  );
}
