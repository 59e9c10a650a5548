/**
 * The caller's address: the socket's, or, behind `proxies` proxies of our own, the
 * entry of X-Forwarded-For that the outermost of them wrote. Earlier entries are
 * whatever the caller chose to send.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | null,
  proxies: number,
): string {
  const hops = forwardedFor?.split(",").map((hop) => hop.trim()) ?? [];
  const forwarded = proxies > 0 ? hops.at(-proxies) : undefined;
  return bareAddress(forwarded || socketAddress || "unknown");
}

/** Without brackets, zone, and the port of this one connection, which some proxies write behind it. */
function bareAddress(address: string): string {
  const [, inner, ipv4] = /^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(address) ?? [];
  const [bare = ""] = (inner ?? ipv4 ?? address).split("%");
  return bare;
}
