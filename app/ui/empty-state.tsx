import type { ReactNode } from "react";

type EmptyStateProps = {
  title: ReactNode;
  children?: ReactNode;
  picture?: ReactNode;
  action?: ReactNode;
  /** `h1` where it is all that the page has. */
  heading?: "h1" | "h2";
};

export function EmptyState({
  title,
  children,
  picture,
  action,
  heading: Heading = "h2",
}: EmptyStateProps) {
  return (
    <div className="empty-state">
      {picture}
      <Heading className="text-xl">{title}</Heading>
      {children && <div className="max-w-[26rem] text-ink-soft">{children}</div>}
      {action && <div className="mt-4">{action}</div>}
    </div>
  );
}
