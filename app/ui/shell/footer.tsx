import type { ReactNode } from "react";
import { Wordmark } from "../brand.tsx";

export type FooterLink = {
  href: string;
  label: string;
  /** Stands behind the link. */
  after?: ReactNode;
};
export type FooterLinks = { title: string; links: FooterLink[] };

type FooterProps = {
  brand: string;
  blurb: ReactNode;
  groups: FooterLinks[];
  children?: ReactNode;
  copyright: ReactNode;
};

/** The site's footer, dark in both modes: what lies in it takes its colours from `.on-deep`. */
export function Footer({ brand, blurb, groups, children, copyright }: FooterProps) {
  return (
    <footer className="site-footer on-deep mt-auto shrink-0 pt-section pb-8">
      <div className="page">
        <div className="grid gap-12 sm:grid-cols-2 nav:grid-cols-[minmax(0,5fr)_minmax(0,2fr)_minmax(0,5fr)] nav:items-baseline nav:gap-x-[clamp(2rem,5vw,5rem)]">
          <div className="grid content-start gap-5">
            <Wordmark name={brand} />
            <div className="max-w-[22rem] text-ink-soft">{blurb}</div>
          </div>
          <nav aria-label="Footer" className="grid content-start gap-6">
            {groups.map((group) => (
              <ul
                key={group.title}
                aria-label={group.title}
                className="-mt-2.5 columns-2 gap-x-6 nav:columns-1"
              >
                {group.links.map((link) => (
                  <li key={link.href} className="break-inside-avoid">
                    <a className="footer-link" href={link.href}>
                      {link.label}
                    </a>
                    {link.after}
                  </li>
                ))}
              </ul>
            ))}
          </nav>
          {children && <div className="sm:max-nav:col-span-2">{children}</div>}
        </div>
        <p className="mt-16 border-t border-line pt-6 text-sm text-ink-soft">{copyright}</p>
      </div>
    </footer>
  );
}
