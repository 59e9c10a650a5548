import type { ReactNode } from "react";
import { Page } from "./page.tsx";

type AdminPageProps = {
  title: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  back?: { href: string; label: string };
  children: ReactNode;
};

export function AdminPage({ title, lead, actions, back, children }: AdminPageProps) {
  return (
    <Page width="full">
      <div className="mb-6 flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div>
          {back && (
            <p className="mb-1.5 text-sm">
              <a href={back.href}>{back.label}</a>
            </p>
          )}
          <h1 className="text-3xl/[1.08] outline-none">{title}</h1>
          {lead && <p className="mt-1.5 text-ink-soft">{lead}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-3">{actions}</div>}
      </div>
      {children}
    </Page>
  );
}
