import type { ReactNode } from "react";

type FactProps = {
  name: string;
  children: ReactNode;
  /** The page on which it is changed, and what its link says. */
  href: string;
  change: string;
};

/** One line of an account: what it is, how it stands, and the way to change it. */
export function Fact({ name, children, href, change }: FactProps) {
  return (
    <div className="account-fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
      <dd>
        <a href={href} aria-label={`${change}: ${name}`}>
          {change}
        </a>
      </dd>
    </div>
  );
}
