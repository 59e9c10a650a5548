import type { ReactNode } from "react";
import { Form, useLocation, useNavigation } from "react-router";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Page, Section } from "~/ui/page.tsx";
import { accountPages, accountPath } from "../messages.ts";

/** Id of the sign-out form, also for buttons inside other forms. */
export const signOutForm = "sign-out";

export function AccountFrame({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const current = accountPages.findLast(({ href }) => isWithin(pathname, href)) ?? accountPages[0];
  return (
    <Page>
      <Section labelledBy="account-title">
        <h1 id="account-title" className="text-4xl">
          Your account
        </h1>
        <div className="account">
          <nav aria-label="Your account">
            <ul className="account-pages">
              {accountPages.map(({ href, label }) => (
                <li key={href}>
                  <a
                    href={href}
                    aria-current={
                      href !== current?.href ? undefined : href === pathname ? "page" : "true"
                    }
                  >
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <div className="account-parts">{children}</div>
        </div>
        <Form id={signOutForm} method="post" action="/auth/sign-out" reloadDocument />
      </Section>
    </Page>
  );
}

function isWithin(pathname: string, href: string): boolean {
  return pathname === href || pathname.startsWith(`${href}/`) || href === accountPath;
}

type PartProps = {
  id: string;
  title: string;
  lead?: ReactNode;
  /** Hidden where scripts are off. */
  needsScripts?: boolean;
  children: ReactNode;
};

export function AccountPart({ id, title, lead, needsScripts, children }: PartProps) {
  return (
    <section
      aria-labelledby={id}
      className={needsScripts ? "account-part needs-scripts" : "account-part"}
    >
      <h2 id={id} className="text-2xl">
        {title}
      </h2>
      {lead && <p className="mt-2 text-ink-soft">{lead}</p>}
      <div className="mt-5 grid gap-5">{children}</div>
    </section>
  );
}

export function SaveOrCancel({ save = "Save" }: { save?: string }) {
  const busy = useNavigation().formAction !== undefined;
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" busy={busy} busyLabel="Saving...">
        {save}
      </Button>
      <ButtonLink href={accountPath} variant="outline">
        Cancel
      </ButtonLink>
    </div>
  );
}
