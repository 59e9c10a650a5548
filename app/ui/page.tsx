import type { ReactNode } from "react";

type PageProps = { children: ReactNode; width?: "text" | "wide" | "full"; className?: string };

/** The page's width and gutters. Not a landmark: `<main id="main">` belongs to the document. */
export function Page({ children, width = "wide", className = "" }: PageProps) {
  const widths = { text: "page page-text", wide: "page", full: "page page-full" };
  return <div className={`${widths[width]} ${className}`}>{children}</div>;
}

type SectionProps = {
  children: ReactNode;
  id?: string;
  /** The id of its heading; with it, the section is a named landmark. */
  labelledBy?: string;
  space?: "default" | "large" | "none";
  /** A link leads here by its id: focus comes along, so that Tab goes on from here. */
  anchor?: boolean;
  className?: string;
};

/** A part of the page with air above and below. */
export function Section({
  children,
  id,
  labelledBy,
  space = "default",
  anchor = false,
  className = "",
}: SectionProps) {
  const spaces = { default: "py-section", large: "py-section-lg", none: "" };
  return (
    <section
      id={id}
      tabIndex={anchor ? -1 : undefined}
      aria-labelledby={labelledBy}
      className={`${spaces[space]} ${className}`}
    >
      {children}
    </section>
  );
}

/** 680 px: the column for reading. */
export function TextColumn({ children, className = "" }: Omit<PageProps, "width">) {
  return <div className={`text-column ${className}`}>{children}</div>;
}
