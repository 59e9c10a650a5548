import type { ReactNode } from "react";

type CardProps = { children: ReactNode; as?: "div" | "article" | "li"; className?: string };

/**
 * A sheet on the page, set off by a hairline. A link inside with the class `card-link`
 * makes the whole card its target.
 */
export function Card({ children, as: Tag = "div", className = "" }: CardProps) {
  return <Tag className={`card ${className}`}>{children}</Tag>;
}
