const variants = {
  default: "button",
  destructive: "button button-destructive",
  outline: "button button-outline",
  secondary: "button button-secondary",
  ghost: "button button-ghost",
  link: "button button-link",
  hero: "button button-hero",
  soft: "button button-soft",
};

const sizes = {
  default: "",
  sm: " button-sm",
  lg: " button-lg",
  xl: " button-xl",
  icon: " button-icon",
};

export type ButtonLook = {
  variant?: keyof typeof variants | undefined;
  size?: keyof typeof sizes | undefined;
};

/** The classes of a button, for links of a router and other elements that should look like one. */
export function buttonStyles(look: ButtonLook & { className?: string | undefined }): string {
  const { variant = "default", size = "default", className } = look;
  const classes = variants[variant] + sizes[size];
  return className ? `${classes} ${className}` : classes;
}
