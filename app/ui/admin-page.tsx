import type { ReactNode } from "react";
import { Breadcrumbs, type Crumb } from "./breadcrumbs.tsx";
import { Page } from "./page.tsx";

type AdminPageProps = {
  title: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  /** The pages above this one, from the top; it stands below them itself, as the heading. */
  above?: Crumb[];
  children: ReactNode;
};

export function AdminPage({ title, lead, actions, above, children }: AdminPageProps) {
  return (
    <Page width="full">
      <div className="mb-6 flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div>
          {above && <Breadcrumbs items={above} />}
          <h1 className="text-3xl/[1.08] outline-none">{title}</h1>
          {lead && <p className="mt-1.5 text-ink-soft">{lead}</p>}
        </div>
        {actions && <div className="admin-actions">{actions}</div>}
      </div>
      {children}
    </Page>
  );
}
