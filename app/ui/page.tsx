import type { ReactNode } from "react";

type PageProps = { children: ReactNode; width?: "text" | "wide" | "full"; className?: string };

/** The page's width and gutters. Not a landmark: `<main id="main">` belongs to the document. */
export function Page({ children, width = "wide", className = "" }: PageProps) {
  const widths = { text: "page page-text", wide: "page", full: "page max-w-none" };
  return <div className={`${widths[width]} ${className}`}>{children}</div>;
}

type SectionProps = {
  children: ReactNode;
  id?: string;
  /** The id of its heading; with it, the section is a named landmark. */
  labelledBy?: string;
  /** None where its class says how much. */
  space?: "default" | "none";
  /** A link leads here by its id: focus comes along, so that Tab goes on from here. */
  anchor?: boolean;
  className?: string;
};

export function Section({
  children,
  id,
  labelledBy,
  space = "default",
  anchor = false,
  className = "",
}: SectionProps) {
  return (
    <section
      id={id}
      tabIndex={anchor ? -1 : undefined}
      aria-labelledby={labelledBy}
      className={`${space === "none" ? "" : "py-section"} ${className}`}
    >
      {children}
    </section>
  );
}
