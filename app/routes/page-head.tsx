import { useLocation, useRouteLoaderData } from "react-router";
import type { Thing } from "schema-dts";
import { StructuredData } from "~/ui/structured-data.tsx";
import { type ShareName, shareAlt, shareSize } from "~content/share.ts";
import { pageTitle, site } from "~content/site.ts";

type PageHeadProps = {
  /** Without the site's name. */
  title?: string;
  description?: string | null;
  /** The picture in public/share that is shown where the page is shared. */
  image?: ShareName;
  /** Asks search engines not to index the page. */
  noindex?: boolean;
};

/** Origin of the site's URLs; undefined on the page of a site that failed as a whole. */
export function useAppUrl(): string | undefined {
  const root = useRouteLoaderData("root") as { appUrl: string } | undefined;
  return root?.appUrl;
}

/** A page's metadata for browsers, search engines and messengers (spec 2, Page metadata). Use it
 * once per page: React lifts every element into the head as it is. */
export function PageHead({
  title = site.title,
  description,
  image = "default",
  noindex = false,
}: PageHeadProps) {
  const origin = useAppUrl();
  const { pathname } = useLocation();
  const full = pageTitle(title);
  const about = description || site.description;
  const url = origin && origin + canonicalPath(pathname);
  return (
    <>
      <title>{full}</title>
      <meta name="description" content={about} />
      {noindex && <meta name="robots" content="noindex" />}
      {url && !noindex && <link rel="canonical" href={url} />}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={site.name} />
      <meta property="og:locale" content="en_US" />
      <meta property="og:title" content={full} />
      <meta property="og:description" content={about} />
      {url && <meta property="og:url" content={url} />}
      <meta name="twitter:site" content={site.social.handle} />
      {origin && <SharePicture origin={origin} name={image} />}
    </>
  );
}

// Routes match in any letter case and encoding, and with a trailing slash; one form is canonical.
function canonicalPath(pathname: string): string {
  const parts = pathname.split("/").map((part) => decodeURIComponent(part).toLowerCase());
  const path = parts.map(encodeURIComponent).join("/");
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

// Messengers need absolute URLs: without the origin there is no picture.
function SharePicture({ origin, name }: { origin: string; name: ShareName }) {
  return (
    <>
      <meta property="og:image" content={`${origin}/share/${name}.png`} />
      <meta property="og:image:type" content="image/png" />
      <meta property="og:image:width" content={String(shareSize.width)} />
      <meta property="og:image:height" content={String(shareSize.height)} />
      <meta property="og:image:alt" content={shareAlt(name)} />
      <meta name="twitter:card" content="summary_large_image" />
      <meta name="twitter:image:alt" content={shareAlt(name)} />
    </>
  );
}

/** A page's structured data, with absolute URLs; nothing where the origin is unknown. */
export function PageData({ of }: { of: (origin: string) => readonly Thing[] }) {
  const origin = useAppUrl();
  return origin ? <StructuredData graph={of(origin)} /> : null;
}
