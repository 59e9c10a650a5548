import { servicesOf } from "~/platform/http/context.ts";
import { themeColor } from "~/ui/theme.ts";
import type { Route } from "./+types/manifest.ts";

/** The web app manifest: how the site looks on a phone's home screen. */
export function loader({ context }: Route.LoaderArgs) {
  const { site } = servicesOf(context).content;
  const png = (name: string, size: number, purpose = "any") => ({
    src: `/${name}.png`,
    sizes: `${size}x${size}`,
    type: "image/png",
    purpose,
  });
  const manifest = {
    id: "/",
    name: site.name,
    short_name: site.name,
    description: site.description,
    lang: "en",
    start_url: "/",
    scope: "/",
    // Not as a standalone app: visitors want the back button and to see where they are.
    display: "browser",
    theme_color: themeColor.light,
    background_color: themeColor.light,
    icons: [
      { src: "/favicon.svg", sizes: "any", type: "image/svg+xml", purpose: "any" },
      png("icon-192", 192),
      png("icon-512", 512),
      png("icon-maskable-512", 512, "maskable"),
    ],
  };
  return new Response(JSON.stringify(manifest, null, 2), {
    headers: {
      "Content-Type": "application/manifest+json; charset=utf-8",
      "Cache-Control": "public, max-age=86400",
    },
  });
}
