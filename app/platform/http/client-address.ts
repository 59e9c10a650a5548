import { BlockList, isIP } from "node:net";
import type { Services } from "./services.ts";

const ownMachine = new BlockList();
ownMachine.addSubnet("127.0.0.0", 8);
ownMachine.addAddress("::1", "ipv6");

const ownNetwork = new BlockList();
for (const [net, bits] of [
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const)
  ownNetwork.addSubnet(net, bits);
ownNetwork.addSubnet("fc00::", 7, "ipv6");

const isIn = (list: BlockList, address: string) =>
  isIP(address) > 0 && list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

type Arrived = { socketAddress: string | undefined; forwardedFor: string | null };

/** The visitor's address. X-Forwarded-For entries before the outermost own proxy's are whatever the
 * client sent. Without a number of `proxies`, one on this machine is believed, and no other. */
export function clientAddress(
  { socketAddress = "unknown", forwardedFor }: Arrived,
  proxies?: number,
): string {
  const hops = hopsOf(forwardedFor);
  const own = proxies ?? (isIn(ownMachine, bareAddress(socketAddress)) ? 1 : 0);
  const forwarded = own > 0 ? hops.at(-own) : undefined;
  return bareAddress(forwarded || socketAddress);
}

const hopsOf = (forwardedFor: string | null) =>
  forwardedFor?.split(",").map((hop) => hop.trim()) ?? [];

/** Says once in the log when TRUSTED_PROXIES does not fit what arrives: all visitors then count as
 * one, and are refused together. @returns what looks at a request */
export function watchProxies({ config, log }: Pick<Services, "config" | "log">) {
  let isSaid = false;
  return (arrived: Arrived) => {
    if (isSaid) return;
    const words = misfit(arrived, config.trustedProxies);
    if (!words) return;
    isSaid = true;
    log.warn({ forwarded: hopsOf(arrived.forwardedFor).length }, words);
  };
}

function misfit({ socketAddress = "", forwardedFor }: Arrived, proxies: number | undefined) {
  const count = hopsOf(forwardedFor).length;
  const from = bareAddress(socketAddress);
  if (proxies !== undefined && proxies > count)
    return `TRUSTED_PROXIES is ${proxies}, and X-Forwarded-For names ${count} of them: all visitors count as one. Let the proxy send it, or correct the number`;
  const isNear = isIn(ownNetwork, from) || (proxies === 0 && isIn(ownMachine, from));
  if (!proxies && count > 0 && isNear)
    return `a proxy at ${from} sends X-Forwarded-For, and TRUSTED_PROXIES is ${proxies ?? "not set"}: all visitors count as one. Set TRUSTED_PROXIES to the number of your proxies, e.g. 1`;
  return null;
}

// Without brackets, zone, and the port of the connection, which some proxies append.
function bareAddress(address: string): string {
  const [, inner, ipv4] = /^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(address) ?? [];
  const [bare = ""] = (inner ?? ipv4 ?? address).split("%");
  return bare;
}
