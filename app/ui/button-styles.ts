const base = [
  "button inline-flex items-center justify-center gap-2.5 rounded-control text-center font-[550] leading-tight",
  "select-none transition-colors duration-150 [&_svg]:size-[1.15em] [&_svg]:shrink-0",
  "disabled:cursor-not-allowed aria-disabled:cursor-not-allowed",
].join(" ");

/** Filled variants turn to a quiet grey when disabled, never translucent: their words still matter. */
const variants = {
  default:
    "bg-dot text-on-dot enabled:hover:bg-dot-strong [a&]:hover:bg-dot-strong disabled:bg-sunken disabled:text-ink-soft",
  destructive:
    "bg-clay text-on-clay enabled:hover:bg-clay-strong [a&]:hover:bg-clay-strong disabled:bg-sunken disabled:text-ink-soft",
  outline:
    "border border-line-strong text-ink enabled:hover:border-ink [a&]:hover:border-ink disabled:border-line disabled:text-ink-soft",
  secondary:
    "bg-sunken text-ink enabled:hover:bg-line [a&]:hover:bg-line disabled:bg-sunken/60 disabled:text-ink-soft",
  ghost: "text-ink enabled:hover:bg-sunken [a&]:hover:bg-sunken disabled:text-ink-soft",
  link: "text-dot underline decoration-1 underline-offset-[0.2em] enabled:hover:text-dot-strong enabled:hover:decoration-2 [a&]:hover:text-dot-strong [a&]:hover:decoration-2 disabled:text-ink-soft disabled:no-underline",
  hero: "bg-hero text-on-hero enabled:hover:bg-hero-strong [a&]:hover:bg-hero-strong disabled:bg-sunken disabled:text-ink-soft",
  soft: "bg-dot/10 text-dot enabled:hover:bg-dot/14 [a&]:hover:bg-dot/14 disabled:bg-sunken disabled:text-ink-soft",
};

const sizes = {
  default: "min-h-12 px-5 py-2.5 text-base",
  sm: "button-reach min-h-9 px-3.5 py-1.5 text-sm",
  lg: "min-h-13 px-7 py-3 text-base",
  xl: "min-h-15 px-9 py-4 text-lg",
  icon: "size-11 shrink-0 text-lg",
};

export type ButtonLook = {
  variant?: keyof typeof variants | undefined;
  size?: keyof typeof sizes | undefined;
};

/** The classes of a button, for links of a router and other elements that should look like one. */
export function buttonStyles(look: ButtonLook & { className?: string | undefined }): string {
  const { variant = "default", size = "default", className } = look;
  const classes = [base, variants[variant], sizes[size]];
  // A link among words has no height and no padding of its own.
  if (variant === "link" && size !== "icon") classes.push("button-reach min-h-0! px-0! py-0!");
  if (className) classes.push(className);
  return classes.join(" ");
}
