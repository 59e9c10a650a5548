import { servicesOf } from "~/platform/http/context.ts";
import type { Route } from "./+types/security-txt.ts";

const halfYearMs = 182 * 86_400_000;

/** Whom to tell about a weakness (RFC 9116). What it says holds for half a year from each request. */
export function loader({ context }: Route.LoaderArgs) {
  const { clock, config, content } = servicesOf(context);
  const expires = new Date(clock.now().getTime() + halfYearMs);
  expires.setUTCHours(0, 0, 0, 0);
  const lines = [
    `Contact: mailto:${content.site.email}`,
    `Expires: ${expires.toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${config.appUrl}/.well-known/security.txt`,
  ];
  return new Response(`${lines.join("\n")}\n`, {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "public, max-age=3600",
    },
  });
}
