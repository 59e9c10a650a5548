import type { ReactNode } from "react";
import { Form, useLocation } from "react-router";
import { Page, Section } from "~/ui/page.tsx";
import { accountPages, accountPath } from "../settings/texts.ts";

/** Id of the form that signs out, for buttons within other forms too. */
export const signOutForm = "sign-out";

/** Around every page of somebody's own account: what there is, which of it this is, and the page. */
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

/** The overview has pages of its own, such as /account/name. */
function isWithin(pathname: string, href: string): boolean {
  return pathname === href || pathname.startsWith(`${href}/`) || href === accountPath;
}

type PartProps = {
  id: string;
  title: string;
  /** One or two lines about what is here. */
  lead?: ReactNode;
  /** Does nothing where scripts are off, and is not there then. */
  needsScripts?: boolean;
  children: ReactNode;
};

/** One subject of such a page, under a heading of its own. */
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
