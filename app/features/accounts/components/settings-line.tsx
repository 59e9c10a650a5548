import type { ReactNode } from "react";

type FactProps = {
  name: string;
  children: ReactNode;
  href: string;
  change: string;
};

export function SettingsLine({ name, children, href, change }: FactProps) {
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
