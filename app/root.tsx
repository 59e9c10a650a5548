import type { ReactNode } from "react";
import {
  data,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from "react-router";
import { redirectWhileDeleting } from "~/features/accounts/deletion.server.ts";
import { SignedOutOverlay } from "~/features/auth/components/session-veil.tsx";
import {
  NewsletterDialog,
  NewsletterForm,
  type NewsletterFormIdentity,
  SubscribeButton,
} from "~/features/newsletter/components/newsletter-form.tsx";
import { PageEditorLoader, Pencil, useWords } from "~/features/pages/components/pencil.tsx";
import type { EditablePage } from "~/features/pages/schema.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import type { Site } from "~content/fields.ts";
import { helpNow, writeToMe } from "~content/site.ts";
import { SiteContext, useSite } from "~content/use-site.ts";
import type { Route } from "./+types/root.ts";
import { noteOf } from "./platform/auth/session.ts";
import { newId } from "./platform/db/ids.ts";
import {
  currentUser,
  servicesOf,
  sessionContext,
  siteScriptContext,
} from "./platform/http/context.ts";
import { takeToast } from "./platform/http/flash.ts";
import { keepPage, notSentStatus, wasUnreachable } from "./platform/http/unreachable.ts";
import { ButtonLink } from "./ui/button.tsx";
import figtree from "./ui/fonts/figtree.woff2?url";
import fraunces from "./ui/fonts/fraunces.woff2?url";
import { Footer, type FooterLink } from "./ui/shell/footer.tsx";
import { Header } from "./ui/shell/header.tsx";
import { themeColor, themeScript } from "./ui/theme.ts";
import { ToastMessage, ToastRegion } from "./ui/toast.tsx";
import "./ui/styles/app.css";
import pageEditorStyles from "./ui/styles/page-editor.css?url";

export const links: Route.LinksFunction = () => [
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/site.webmanifest" },
  ...[fraunces, figtree].map((href) => ({
    rel: "preload",
    href,
    as: "font",
    type: "font/woff2",
    crossOrigin: "anonymous" as const,
  })),
];

/** A user whose account deletion is scheduled first decides whether to cancel it. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context, request }) => redirectWhileDeleting(context, request),
];

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [
  async ({ request }, next) => {
    const results = await next();
    if (request.method !== "GET" && keepPage(results))
      document.dispatchEvent(new Event("not-sent"));
    return results;
  },
];

export function loader({ request, context }: Route.LoaderArgs) {
  const viewer = currentUser(context);
  const session = noteOf(context.get(sessionContext));
  const { toast, headers } = takeToast(request, context);
  const { config, content } = servicesOf(context);
  const { appUrl, newsletterForm } = config;
  const identity: NewsletterFormIdentity | null = newsletterForm?.identity ?? null;
  return data(
    {
      viewer: viewer && { id: viewer.id, name: viewer.name },
      session,
      toast: toast && { ...toast, id: newId() },
      siteScript: context.get(siteScriptContext),
      appUrl,
      newsletterForm: identity,
      site: content.site,
      share: content.share("site"),
    },
    { headers },
  );
}

/** After every form, even a refused one: the response may have set a toast. Not from lesson to
 * lesson: the frame stays, and the player itself reports a lost connection. Nor when a page reloads
 * its own data: the toast that is being read would disappear. */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  const { actionResult, formMethod, currentUrl, nextUrl } = args;
  if (wasUnreachable(actionResult) || args.actionStatus === notSentStatus) return false;
  if (formMethod) return true;
  return currentUrl.pathname !== nextUrl.pathname && args.defaultShouldRevalidate;
}

/** Cookies that a loader sets must reach the browser with the document too. */
export function headers({ loaderHeaders, actionHeaders, errorHeaders }: Route.HeadersArgs) {
  const headers = new Headers();
  for (const source of [loaderHeaders, actionHeaders, errorHeaders])
    for (const cookie of source?.getSetCookie() ?? []) headers.append("Set-Cookie", cookie);
  return headers;
}

/** That an admin looks at a page whose words can be edited; undefined for everybody else. */
function useEditablePage(): EditablePage | undefined {
  const found = useMatches().map(({ loaderData }) => loaderData as { edit?: EditablePage } | null);
  return found.find((loaded) => loaded?.edit)?.edit;
}

function useHandle(): RouteHandle {
  const handles = useMatches().map((match) => match.handle as RouteHandle | undefined);
  return Object.assign({}, ...handles);
}

export function Layout({ children }: { children: ReactNode }) {
  const root = useRouteLoaderData<typeof loader>("root");
  if (!root) return <Document>{children}</Document>;
  return (
    <SiteContext value={root.site}>
      <Document>{children}</Document>
    </SiteContext>
  );
}

function Document({ children }: { children: ReactNode }) {
  const root = useRouteLoaderData<typeof loader>("root");
  const handle = useHandle();
  const edit = useEditablePage();
  const hydrate = handle.hydrate ?? root?.viewer;
  // A page that failed has the frame of the site, where that was read.
  const hasFailed = useRouteError() != null;
  const bare = handle.bare && !hasFailed;
  const page = bare ? (
    children
  ) : (
    <>
      <SiteHeader />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <SiteFooter />
      <NewsletterDialog />
    </>
  );
  return (
    <html
      lang="en"
      data-session={root && (root.session ? "in" : "out")}
      data-session-note={root?.session ? JSON.stringify(root.session) : undefined}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        {/* With it, a phone's keyboard shrinks the page instead of covering half of it. */}
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, interactive-widget=resizes-content"
        />
        <meta name="color-scheme" content="light dark" />
        {Object.entries(themeColor).map(([mode, color]) => (
          <meta
            key={mode}
            name="theme-color"
            data-mode={mode}
            media={`(prefers-color-scheme: ${mode})`}
            content={color}
          />
        ))}
        <script
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant, allowed by its hash
          dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? themeScript : "" }}
          suppressHydrationWarning
        />
        <Meta />
        <Links />
        {edit && <link rel="stylesheet" href={pageEditorStyles} />}
        {root && <script type="module" src={root.siteScript} />}
      </head>
      <body>
        <a className="skip-link" href="#main">
          Skip to content
        </a>
        {page}
        {edit && (edit.isOpen ? <PageEditorLoader edit={edit} /> : <EditLink />)}
        {root?.viewer && !handle.shared && (
          <SignedOutOverlay key={root.viewer.id} userId={root.viewer.id} />
        )}
        <ToastRegion>
          {root?.toast && <ToastMessage key={root.toast.id} {...root.toast} />}
        </ToastRegion>
        {hydrate && (
          <>
            <ScrollRestoration />
            <Scripts />
          </>
        )}
      </body>
    </html>
  );
}

function EditLink() {
  return (
    <p className="page-edit-link">
      <ButtonLink href="?edit" variant="ghost" size="sm">
        Edit this page
      </ButtonLink>
    </p>
  );
}

function SiteHeader() {
  const site = useWords(useSite(), "site");
  const { pathname } = useLocation();
  const link = (href: string, label: string) => ({
    href,
    label,
    active: href === "/" ? pathname === "/" : pathname === href || pathname.startsWith(`${href}/`),
  });
  return (
    <Header
      brand={site.name}
      links={[
        link("/", site.homeLabel),
        link("/about", site.aboutLabel),
        link("/courses", site.coursesLabel),
        link("/coaching", site.coachingLabel),
      ]}
      actions={<SubscribeButton size="sm">Subscribe</SubscribeButton>}
      session={{ out: link("/auth", "Log In"), in: link("/my-courses", "My Courses") }}
    />
  );
}

/** A text of every page that is the label of a link. */
type LinkLabel = Extract<keyof Site, `${string}Label`>;

function SiteFooter() {
  const site = useWords(useSite(), "site");
  const link = (href: string, name: LinkLabel) => ({
    ...{ href, label: site[name], after: <Pencil at={name} of="site" /> },
  });
  const links: FooterLink[] = [
    link("/about", "aboutLabel"),
    link("/courses", "coursesLabel"),
    link("/coaching", "coachingLabel"),
    link("/privacy", "privacyLabel"),
    link("/terms", "termsLabel"),
    helpNow,
    link(writeToMe(site).href, "writeLabel"),
  ];
  return (
    <Footer
      brand={site.name}
      blurb={
        <p>
          {site.blurb}
          <Pencil at="blurb" of="site" />
        </p>
      }
      groups={[{ title: "Pages", links }]}
      copyright={
        <>
          {`© ${new Date().getUTCFullYear()} ${site.name}`}
          <Pencil at="name" of="site" />
          {/* In the header alone, where there is no room for it. */}
          <Pencil at="homeLabel" of="site" />
        </>
      }
    >
      <h2 className="text-xl">
        {site.footerTitle}
        <Pencil at="footerTitle" of="site" />
      </h2>
      <NewsletterForm id="footer" source="footer" className="mt-5" />
    </Footer>
  );
}

export default function Root() {
  return <Outlet />;
}

export { ErrorBoundary } from "~/routes/error-page.tsx";
