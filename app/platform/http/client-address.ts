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
  return forwarded || socketAddress || "unknown";
}
