import { type FormEvent, lazy, type MouseEvent, Suspense, useEffect, useRef } from "react";
import { Outlet, useLocation, useNavigate, useNavigation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { countEmailProblems } from "~/features/email-log/email-log.server.ts";
import { countPaymentIssues } from "~/features/payments/payments.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { LoadingMark, Wordmark } from "~/ui/brand.tsx";
import { LeaveQuestion } from "~/ui/leave-question.tsx";
import { Page } from "~/ui/page.tsx";
import { AdminBar, AdminNav, countedAtMost, type NavPlace } from "~/ui/shell/admin-nav.tsx";
import { useSite } from "~content/use-site.ts";
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
    countPaymentIssues(services, countedAtMost).catch(orNone),
    countEmailProblems(services, countedAtMost).catch(orNone),
  ]);
  return { payments, mail };
}

export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

type Counts = Awaited<ReturnType<typeof loader>>;

type Place = {
  href: string;
  label: string;
  /** Pages that have no place of their own. */
  also?: string;
  needs?: { words: string; count: keyof Counts };
  within?: Place[];
};

const places: Place[] = [
  {
    href: "/admin",
    label: "Overview",
    within: [
      { href: "/admin/ready", label: "Before you open" },
      { href: "/admin/visits", label: "Visits" },
    ],
  },
  {
    href: "/admin/courses",
    label: "Courses",
    within: [
      { href: "/admin/modules", label: "Modules" },
      { href: "/admin/lessons", label: "Lessons" },
    ],
  },
  {
    href: "/admin/students",
    label: "Students",
    within: [{ href: "/admin/enrollments", label: "Enrollments" }],
  },
  { href: "/admin/payments", label: "Payments", needs: { words: "need you", count: "payments" } },
  {
    href: "/admin/mail",
    label: "Email",
    needs: { words: "to look at", count: "mail" },
    within: [
      { href: "/admin/course-emails", label: "To students" },
      { href: "/admin/mail/suppressed", label: "No email to" },
    ],
  },
  {
    href: "/admin/newsletter",
    label: "Newsletter",
    within: [{ href: "/admin/newsletter/subscribers", label: "Subscribers" }],
  },
  {
    href: "/admin/pages",
    label: "Pages",
    within: [{ href: "/admin/releases", label: "Releases" }],
  },
  {
    href: "/admin/settings",
    label: "Settings",
    also: "/admin/administrators",
    within: [
      { href: "/admin/redirects", label: "Addresses" },
      { href: "/admin/audit", label: "Audit log" },
      { href: "/admin/help", label: "Help numbers" },
    ],
  },
];

function isUnder(pathname: string, path: string | undefined) {
  return path !== undefined && (pathname === path || pathname.startsWith(`${path}/`));
}

function navPlace(pathname: string, counts: Counts, place: Place): NavPlace {
  const { href, label, also, needs, within } = place;
  const isOwn = href === "/admin" ? pathname === href : isUnder(pathname, href);
  return {
    ...{ href, label, isCurrent: isOwn || isUnder(pathname, also) },
    needs: needs && { words: needs.words, count: counts[needs.count] },
    within: within?.map((one) => navPlace(pathname, counts, one)),
  };
}

/** The admin's layout: a slim bar, the places at the left, and the page. */
export default function AdminFrame({ loaderData: counts }: Route.ComponentProps) {
  const site = useSite();
  const { pathname } = useLocation();
  const stay = useStayInside();
  useFocusOnPage(pathname);
  const loading = useNavigation().state === "loading";
  const brand = (
    <>
      <a href="/" className="site-header-home max-lg:hidden">
        <Wordmark name={site.name} />
      </a>
      {loading && <LoadingMark />}
    </>
  );
  return (
    <div className="admin" {...stay}>
      <header className="admin-head">
        <Page width="full">
          <AdminBar brand={brand} needs={counts.payments + counts.mail} />
        </Page>
      </header>
      <div className="admin-body">
        <AdminNav places={places.map((place) => navPlace(pathname, counts, place))} />
        <main id="main" tabIndex={-1} className="admin-main">
          <Outlet />
        </main>
      </div>
      <Suspense fallback={null}>
        <UploadStatus />
      </Suspense>
      <LeaveQuestion />
    </div>
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
