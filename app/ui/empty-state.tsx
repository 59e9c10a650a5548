import type { ReactNode } from "react";

type EmptyStateProps = {
  title: ReactNode;
  children?: ReactNode;
  /** An illustration; its dot is the page's dot. */
  picture?: ReactNode;
  /** What to do next: one button or link. */
  action?: ReactNode;
};

/** Nothing here yet, and what to do about it. */
export function EmptyState({ title, children, picture, action }: EmptyStateProps) {
  return (
    <div className="empty-state">
      {picture}
      <h2 className="text-xl">{title}</h2>
      {children && <div className="max-w-[26rem] text-ink-soft">{children}</div>}
      {action && <div className="mt-4">{action}</div>}
    </div>
  );
}
