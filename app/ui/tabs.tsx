import type { ReactNode } from "react";

export type Tab = { href: string; label: ReactNode; active?: boolean; count?: number };

/** Tabs that are addresses: a navigation landmark of links, the current one `aria-current`. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  return (
    <nav aria-label={label} className="tabs">
      {tabs.map((tab) => (
        <a
          key={tab.href}
          href={tab.href}
          className="tab"
          aria-current={tab.active ? "page" : undefined}
        >
          {tab.label}
          {tab.count !== undefined && <span className="tab-count">{tab.count}</span>}
        </a>
      ))}
    </nav>
  );
}
