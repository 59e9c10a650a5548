import {
  type FormEvent,
  lazy,
  type MouseEvent,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
} from "react";
import { Outlet, useLocation, useNavigate, useNavigation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { countEmailProblems } from "~/features/email-log/email-log.server.ts";
import { countPaymentIssues } from "~/features/payments/payments.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { LoadingMark, Wordmark } from "~/ui/brand.tsx";
import { LeaveQuestion } from "~/ui/leave-question.tsx";
import { Page } from "~/ui/page.tsx";
import { ThemeToggle } from "~/ui/shell/theme-toggle.tsx";

import { site } from "~content/site.ts";
import type { Route } from "./+types/frame.ts";
import "~/ui/styles/admin/admin.css";

export const handle = { hydrate: true, bare: true } satisfies RouteHandle;

const UploadStatus = lazy(() =>
  import("~/features/lesson-media/components/upload-status.tsx")
    // A failure here must not replace the page that is being edited.
    .catch(() => ({ default: () => null })),
);

/** Runs before every loader and action below; each of them also checks again by itself. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context, url }) => {
    requireAdmin(context, url);
  },
];

const most = 10;

/** Counts what needs the coach. A count that fails is hidden, so that no page fails because of
 * it. Without a loader, React's navigation from page to page would send no request through here. */
export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const orNone = (err: unknown) => {
    services.log.error({ err }, "what needs the coach could not be counted");
    return 0;
  };
  const [payments, mail] = await Promise.all([
    countPaymentIssues(services, most).catch(orNone),
    countEmailProblems(services, most).catch(orNone),
  ]);
  return { payments, mail };
}

export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

const tabs = [
  { href: "/admin", label: "Courses", also: "/admin/courses" },
  { href: "/admin/modules", label: "Modules" },
  { href: "/admin/lessons", label: "Lessons" },
  { href: "/admin/enrollments", label: "Enrollments", also: "/admin/students" },
];

type Counts = Awaited<ReturnType<typeof loader>>;

type Quiet = { href: string; label: string; needs?: { what: string; count: keyof Counts } };
const quiet: Quiet[] = [
  { href: "/admin/payments", label: "Payments", needs: { what: "need you", count: "payments" } },
  { href: "/admin/mail", label: "Email", needs: { what: "to look at", count: "mail" } },
  { href: "/admin/audit", label: "Audit log" },
];

function isUnder(pathname: string, path: string | undefined) {
  return path !== undefined && (pathname === path || pathname.startsWith(`${path}/`));
}

/** The admin's layout: a slim bar, four tabs with URLs of their own, and the page. */
export default function AdminFrame({ loaderData: counts }: Route.ComponentProps) {
  const { pathname } = useLocation();
  const stay = useStayInside();
  useFocusOnPage(pathname);
  const loading = useNavigation().state === "loading";
  const active = (href: string, also?: string) =>
    href === "/admin"
      ? pathname === href || isUnder(pathname, also)
      : isUnder(pathname, href) || isUnder(pathname, also);
  return (
    <div className="admin" {...stay}>
      <header className="admin-head">
        <Page width="full">
          <div className="admin-bar">
            <a href="/" className="site-header-home">
              <Wordmark name={site.name} />
            </a>
            {loading && <LoadingMark />}
            <nav aria-label="Site" className="admin-site">
              <a href="/my-courses" className="nav-link">
                My Courses
              </a>
              <ThemeToggle />
            </nav>
          </div>
          <div className="admin-ways">
            <Tabs
              label="Admin"
              tabs={tabs.map(({ href, label, also }) => ({
                href,
                label,
                active: active(href, also),
              }))}
            />
            <nav aria-label="Payments and logs" className="admin-quiet">
              {quiet.map(({ href, label, needs }) => (
                <a
                  key={href}
                  href={href}
                  aria-current={isUnder(pathname, href) ? "page" : undefined}
                >
                  <span>{label}</span>
                  {needs && counts[needs.count] > 0 && (
                    <Count number={counts[needs.count]} what={needs.what} />
                  )}
                </a>
              ))}
            </nav>
          </div>
        </Page>
      </header>
      <main id="main" tabIndex={-1} className="admin-main">
        <Outlet />
      </main>
      <Suspense fallback={null}>
        <UploadStatus />
      </Suspense>
      <LeaveQuestion />
    </div>
  );
}

function Count({ number, what }: { number: number; what: string }) {
  const words = number < most ? String(number) : `${most - 1}+`;
  return (
    <span className="admin-count">
      {words}
      <span className="sr-only"> {what}</span>
    </span>
  );
}

// React handles links and searches inside the admin, so that uploads go on. The markup has plain
// links and forms, which work before and without React too.
function useStayInside() {
  const navigate = useNavigate();
  return {
    onClick(event: MouseEvent) {
      const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]");
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
      if (!link || !isPlain || event.defaultPrevented || link.target || link.download !== "")
        return;
      const url = new URL(link.href);
      if (link.hasAttribute("download") || !isInside(url)) return;
      event.preventDefault();
      void navigate(url.pathname + url.search + url.hash);
    },
    onSubmit(event: FormEvent<HTMLElement>) {
      const form = event.target as HTMLFormElement;
      const url = new URL(form.action);
      if (event.defaultPrevented || form.method !== "get" || !isInside(url)) return;
      event.preventDefault();
      const query = new URLSearchParams();
      for (const [name, value] of new FormData(form))
        if (typeof value === "string" && value) query.append(name, value);
      void navigate(`${url.pathname}?${query}`);
    },
  };
}

const isInside = (url: URL) => url.origin === location.origin && isUnder(url.pathname, "/admin");

// On another page, screen reader users start at its heading.
function useFocusOnPage(pathname: string) {
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    const heading = document.querySelector<HTMLElement>("#main h1");
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }, [pathname]);
}

type Tab = { href: string; label: ReactNode; active?: boolean };

/** Tabs that are addresses: a navigation landmark of links, the current one `aria-current`. */
function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  return (
    <nav aria-label={label} className="tabs">
      {tabs.map((tab) => (
        <a
          key={tab.href}
          href={tab.href}
          className="tab"
          aria-current={tab.active ? "page" : undefined}
        >
          {tab.label}
        </a>
      ))}
    </nav>
  );
}
