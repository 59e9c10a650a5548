import { Menu, X } from "lucide";
import type { ReactNode } from "react";
import { Wordmark } from "../brand.tsx";
import { Button } from "../button.tsx";
import { Icon } from "../icon.tsx";
import { ThemeToggle } from "./theme-toggle.tsx";

export type NavLink = { href: string; label: string; active?: boolean };

type HeaderProps = {
  brand: string;
  links: NavLink[];
  /** The link that depends on whether somebody is signed in. Both are in the markup, and `<html
   * data-session="in|out">` decides which one is displayed and so read out. */
  session: { out: NavLink; in: NavLink };
  actions?: ReactNode;
};

/** The site's header. Below 54 rem the navigation is a native popover: it opens and closes (Escape,
 * a tap outside, the button) and returns focus without scripts. */
export function Header({ brand, links, session, actions }: HeaderProps) {
  const shown = [
    ...links.map((link) => ({ link, when: undefined })),
    { link: session.out, when: "out" },
    { link: session.in, when: "in" },
  ];
  return (
    <header className="site-header">
      <div className="page site-header-row flex items-center gap-2 nav:gap-3">
        <a href="/" className="site-header-home">
          <Wordmark name={brand} />
        </a>
        <nav id="site-nav" popover="auto" aria-label="Main" className="site-nav">
          <ul className="nav:flex">
            {shown.map(({ link, when }) => (
              <li key={link.href} data-when={when}>
                <a
                  href={link.href}
                  className="nav-link"
                  aria-current={link.active ? "page" : undefined}
                >
                  {link.label}
                </a>
              </li>
            ))}
          </ul>
          <div className="max-nav:pt-3">
            <ThemeToggle />
          </div>
        </nav>
        {actions}
        <Button
          variant="ghost"
          size="icon"
          className="site-menu-button -mr-2.5 nav:hidden"
          aria-label="Menu"
          popoverTarget="site-nav"
        >
          <Icon of={Menu} />
          <Icon of={X} />
        </Button>
      </div>
    </header>
  );
}
