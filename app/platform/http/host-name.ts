import type { RequestListener } from "node:http";
import type { Config } from "../config/config.ts";
import { commonHeaders } from "./security.ts";

/** Leads from the site's second name, `www.` before the one of APP_URL or taken from it, to the first
 * (308). Other names are left alone: many proxies ask with one of their own. */
export function oneName(config: Config, otherwise: RequestListener): RequestListener {
  const { host, origin } = new URL(config.appUrl);
  const second = host.startsWith("www.") ? host.slice(4) : `www.${host}`;
  // Not cached: the query may hold personal data.
  const common = { ...commonHeaders(config), "Cache-Control": "no-store" };
  return (incoming, outgoing) => {
    const { method, headers, url = "/" } = incoming;
    const isReading = method === "GET" || method === "HEAD";
    const isSecond = headers.host?.toLowerCase() === second && isReading && url !== "/healthz";
    // What cannot be read is refused further on; thrown here, it would end the process.
    const asked = isSecond ? URL.parse(url.replace(/^\/+/, "/"), origin) : null;
    if (!asked) return otherwise(incoming, outgoing);
    outgoing.writeHead(308, { ...common, Location: origin + asked.pathname + asked.search }).end();
  };
}
