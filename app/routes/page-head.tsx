import { useLocation, useRouteLoaderData } from "react-router";
import type { Thing } from "schema-dts";
import type { ShareImage, Site } from "~content/fields.ts";
import { shareSize } from "~content/share.ts";
import { pageTitle } from "~content/site.ts";
import { useSite } from "~content/use-site.ts";

type PageHeadProps = {
  /** Without the site's name. */
  title?: string;
  description?: string | null;
  /** What is shown where the page is shared; the picture of the site where it is left out. */
  share?: ShareImage;
  /** A picture for sharing that takes its place: a JPEG of the same size. */
  cover?: { card: string; alt: string } | null;
  noindex?: boolean;
};

/** Undefined on the page of a site that failed as a whole. */
const useRoot = () =>
  useRouteLoaderData("root") as
    | { appUrl: string; viewer: object | null; share: ShareImage }
    | undefined;

/** A page's metadata for browsers, search engines and messengers (spec 2, Page metadata). Use it
 * once per page: React lifts every element into the head as it is. */
export function PageHead({
  title,
  description,
  share,
  cover = null,
  noindex = false,
}: PageHeadProps) {
  const site = useSite();
  const { appUrl: origin, viewer, share: ofSite } = useRoot() ?? {};
  const image = share ?? ofSite;
  const { pathname } = useLocation();
  const full = pageTitle(site, title ?? site.title);
  // Search engines and messengers never see it.
  if (noindex && viewer)
    return (
      <>
        <title>{full}</title>
        <meta name="robots" content="noindex" />
      </>
    );
  const about = description || site.description;
  const url = origin && origin + canonicalPath(pathname);
  // A cover without words is decoration: its page says what it stands for.
  const imageAlt = cover ? cover.alt || (title ?? site.title) : image?.alt;
  const properties = {
    "og:type": "website",
    "og:site_name": site.name,
    "og:locale": "en_US",
    "og:title": full,
    "og:description": about,
    "og:url": url,
    // Messengers need absolute URLs: without the origin there is no picture.
    ...(origin && {
      "og:image": origin + (cover?.card ?? image?.path),
      "og:image:type": cover ? "image/jpeg" : "image/png",
      "og:image:width": shareSize.width,
      "og:image:height": shareSize.height,
      "og:image:alt": imageAlt,
    }),
  };
  return (
    <>
      <title>{full}</title>
      <meta name="description" content={about} />
      {noindex && <meta name="robots" content="noindex" />}
      {url && !noindex && <link rel="canonical" href={url} />}
      {Object.entries(properties).map(
        ([property, content]) =>
          content && <meta key={property} property={property} content={String(content)} />,
      )}
      <meta name="twitter:site" content={site.socialHandle} />
      {origin && <meta name="twitter:card" content="summary_large_image" />}
      {origin && <meta name="twitter:image:alt" content={imageAlt} />}
    </>
  );
}

// Routes match in any letter case and encoding, and with a trailing slash; one form is canonical.
function canonicalPath(pathname: string): string {
  const parts = pathname.split("/").map((part) => decodeURIComponent(part).toLowerCase());
  const path = parts.map(encodeURIComponent).join("/");
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

/** A page's structured data, with absolute URLs; nothing where the origin is unknown. */
export function PageData({ of }: { of: (origin: string, site: Site) => readonly Thing[] }) {
  const site = useSite();
  const origin = useRoot()?.appUrl;
  return origin ? <StructuredData graph={of(origin, site)} /> : null;
}

/** What a page is about, for search engines: things of schema.org, as JSON-LD. */
function StructuredData({ graph }: { graph: readonly Thing[] }) {
  // A title may hold anything; nothing in it may end the element, or a line of it.
  const json = JSON.stringify({ "@context": "https://schema.org", "@graph": graph })
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
  // biome-ignore lint/security/noDangerouslySetInnerHtml: data, not a script; escaped above
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}
