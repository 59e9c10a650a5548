import type { ReactNode } from "react";
import { Page } from "./page.tsx";

type DeskPageProps = {
  title: ReactNode;
  /** One line about what is here. */
  lead?: ReactNode;
  /** Buttons at the right of the heading. */
  actions?: ReactNode;
  /** The way back: a link above the heading. */
  back?: { href: string; label: string };
  children: ReactNode;
};

/** One page of a dense, calm working area: heading, actions, content. */
export function AdminPage({ title, lead, actions, back, children }: DeskPageProps) {
  return (
    <Page width="full">
      <div className="desk-title">
        <div>
          {back && (
            <p className="desk-back">
              <a href={back.href}>{back.label}</a>
            </p>
          )}
          <h1>{title}</h1>
          {lead && <p className="desk-lead">{lead}</p>}
        </div>
        {actions && <div className="desk-actions">{actions}</div>}
      </div>
      {children}
    </Page>
  );
}
