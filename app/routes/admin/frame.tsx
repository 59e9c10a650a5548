import { type FormEvent, lazy, type MouseEvent, Suspense, useEffect, useRef } from "react";
import {
  Outlet,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useNavigate,
  useNavigation,
} from "react-router";
import { adminOf } from "~/features/accounts/admin/queries.server.ts";
import { countMailTrouble } from "~/features/mail/queries.server.ts";
import { countAttention } from "~/features/payments/listing/queries.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { wasUnreachable } from "~/platform/http/unreachable.ts";
import { LeaveQuestion } from "~/ui/leave-question.tsx";
import { LoadingMark } from "~/ui/loading-mark.tsx";
import { Page } from "~/ui/page.tsx";
import { ThemeToggle } from "~/ui/shell/theme-toggle.tsx";
import { Tabs } from "~/ui/tabs.tsx";
import { Wordmark } from "~/ui/wordmark.tsx";
import { site } from "~content/site.ts";
import type { Route } from "./+types/frame.ts";
import "~/ui/styles/desk/desk.css";

export const handle = { hydrate: true, bare: true };

const UploadStatus = lazy(() =>
  import("~/features/courses/media/components/upload-status.tsx")
    // It must not take the place of the page that is being written.
    .catch(() => ({ default: () => null })),
);

/** In front of every loader and action below; each of them asks again by itself. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context, url }) => {
    adminOf(context, url);
  },
];

/** How much is counted of what needs her: beyond, it says 'more'. */
const most = 10;

/**
 * What needs the coach, wherever she is. It must not keep her from her page: what cannot be counted
 * is not shown. Without a loader, no request would come by here when React goes from page to page.
 */
export async function loader({ context, url }: Route.LoaderArgs) {
  adminOf(context, url);
  const services = servicesOf(context);
  const orNone = (err: unknown) => {
    services.log.error({ err }, "what needs the coach could not be counted");
    return 0;
  };
  const [payments, mail] = await Promise.all([
    countAttention(services, most).catch(orNone),
    countMailTrouble(services, most).catch(orNone),
  ]);
  return { payments, mail };
}

/** Where the server could not be asked, or knows nobody any more, a page keeps what was typed into it. */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  return !wasUnreachable(args.actionResult) && args.defaultShouldRevalidate;
}

const tabs = [
  { href: "/admin", label: "Courses", also: "/admin/courses" },
  { href: "/admin/modules", label: "Modules" },
  { href: "/admin/lessons", label: "Lessons" },
  { href: "/admin/enrollments", label: "Enrollments", also: "/admin/students" },
];

type Counts = Awaited<ReturnType<typeof loader>>;

/** Beside the tabs, set apart: what works by itself, and says when it needs her. */
type Quiet = { href: string; label: string; needs?: { what: string; count: keyof Counts } };
const quiet: Quiet[] = [
  { href: "/admin/payments", label: "Payments", needs: { what: "need you", count: "payments" } },
  { href: "/admin/mail", label: "Mail", needs: { what: "to look at", count: "mail" } },
  { href: "/admin/audit", label: "What was done" },
];

function isUnder(pathname: string, path: string | undefined) {
  return path !== undefined && (pathname === path || pathname.startsWith(`${path}/`));
}

/** The coach's desk: a slim bar, four tabs with addresses of their own, and the page. */
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
    <div className="desk" {...stay}>
      <header className="desk-head">
        <Page width="full">
          <div className="desk-bar">
            <a href="/" className="site-header-home">
              <Wordmark name={site.name} />
            </a>
            {loading && <LoadingMark size="sm" animate delayed />}
            <nav aria-label="Site" className="desk-site">
              <a href="/my-courses" className="nav-link">
                My Courses
              </a>
              <ThemeToggle />
            </nav>
          </div>
          <div className="desk-ways">
            <Tabs
              label="Admin"
              tabs={tabs.map(({ href, label, also }) => ({
                href,
                label,
                active: active(href, also),
              }))}
            />
            <nav aria-label="Payments, mail and what was done" className="desk-quiet">
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
      <main id="main" tabIndex={-1} className="desk-main">
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
    <span className="desk-count">
      {words}
      <span className="sr-only"> {what}</span>
    </span>
  );
}

/**
 * Links and searches inside the admin are React's: what is being uploaded goes on meanwhile.
 * Plain links and forms in the markup, so that they work before and without React too.
 */
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

/** Another page: whoever does not see it starts at its heading. */
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
