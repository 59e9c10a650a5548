/** X-Forwarded-For entries before the outermost own proxy's are whatever the client sent. */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | null,
  proxies: number,
): string {
  const hops = forwardedFor?.split(",").map((hop) => hop.trim()) ?? [];
  const forwarded = proxies > 0 ? hops.at(-proxies) : undefined;
  return bareAddress(forwarded || socketAddress || "unknown");
}

// Without brackets, zone, and the port of the connection, which some proxies append.
function bareAddress(address: string): string {
  const [, inner, ipv4] = /^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(address) ?? [];
  const [bare = ""] = (inner ?? ipv4 ?? address).split("%");
  return bare;
}
