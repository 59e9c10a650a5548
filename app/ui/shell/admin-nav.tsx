import { Menu } from "lucide";
import type { ReactNode } from "react";
import { useEffect } from "react";
import { Form, useLocation } from "react-router";
import { Drawer, DrawerButton } from "../drawer.tsx";
import { Icon } from "../icon.tsx";
import { ThemeToggle } from "./theme-toggle.tsx";

export type NavPlace = {
  href: string;
  label: string;
  isCurrent: boolean;
  /** How many things there need the user, and what to call them: 'need you'. */
  needs?: { count: number; words: string } | undefined;
  within?: NavPlace[];
};

const drawerId = "admin-menu";

/** Counts stop here: more are '9+'. */
export const countedAtMost = 10;

/** The places of a working area: a column where there is room, a drawer below 64 rem. */
export function AdminNav({ places }: { places: NavPlace[] }) {
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes on every navigation
  useEffect(() => {
    document.getElementById(drawerId)?.hidePopover?.();
  }, [key]);
  return (
    <Drawer id={drawerId} label="Menu">
      <nav aria-label="Admin" className="admin-nav">
        <Places places={places} />
      </nav>
      <nav aria-label="You" className="admin-nav admin-nav-own lg:hidden">
        <OwnLinks />
      </nav>
    </Drawer>
  );
}

function Places({ places }: { places: NavPlace[] }) {
  return (
    <ul>
      {places.map(({ href, label, isCurrent, needs, within }) => (
        <li key={href}>
          <a href={href} aria-current={isCurrent ? "page" : undefined}>
            <span>{label}</span>
            {needs && needs.count > 0 && <Count {...needs} />}
          </a>
          {within && <Places places={within} />}
        </li>
      ))}
    </ul>
  );
}

/** The bar above: the menu's button, the brand, and the ways out. */
export function AdminBar({ brand, needs }: { brand: ReactNode; needs: number }) {
  return (
    <div className="admin-bar">
      <DrawerButton drawer={drawerId} variant="ghost" size="sm">
        <Icon of={Menu} /> Menu
        {needs > 0 && <Count count={needs} words="need you" />}
      </DrawerButton>
      {brand}
      <nav aria-label="Site" className="admin-site">
        <a href="/" className="nav-link">
          To the site
        </a>
        <div className="admin-own max-lg:hidden">
          <OwnLinks />
        </div>
        <ThemeToggle />
      </nav>
    </div>
  );
}

function OwnLinks() {
  return (
    <>
      <a href="/account" className="nav-link">
        Account
      </a>
      <Form method="post" action="/auth/sign-out" reloadDocument>
        <button type="submit" className="nav-link">
          Sign out
        </button>
      </Form>
    </>
  );
}

function Count({ count, words }: { count: number; words: string }) {
  return (
    <span className="admin-count">
      {count < countedAtMost ? count : `${countedAtMost - 1}+`}
      <span className="sr-only"> {words}</span>
    </span>
  );
}
