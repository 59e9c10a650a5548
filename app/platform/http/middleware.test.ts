import { expect, test } from "vitest";
import { clientAddress } from "./middleware.ts";

const proxy = "10.0.0.1";
const claimed = "6.6.6.6";
const caller = "203.0.113.7";

test.each<[string, string | null, number, string]>([
  ["no proxy", null, 0, proxy],
  ["no proxy, and a header of the caller's own", claimed, 0, proxy],
  ["one proxy", caller, 1, caller],
  ["one proxy, behind what the caller claimed", `${claimed}, ${claimed},${caller}`, 1, caller],
  ["two proxies", `${claimed}, ${caller}, 10.0.0.2`, 2, caller],
  ["two proxies, one of which was passed by", caller, 2, proxy],
  ["one proxy that writes ports", `${claimed}:1, ${caller}:50123`, 1, caller],
  ["one proxy that writes ports of IPv6", "[2001:db8::1]:50123", 1, "2001:db8::1"],
  ["one proxy that writes brackets and a zone", "[fe80::1%eth0]", 1, "fe80::1"],
  ["one proxy that wrote nothing", null, 1, proxy],
  ["one proxy that wrote nothing behind a comma", `${claimed}, `, 1, proxy],
])("%s: whose request it is", (_, forwardedFor, proxies, expected) => {
  expect(clientAddress(proxy, forwardedFor, proxies)).toBe(expected);
});

test("a caller who has hung up has no address", () => {
  expect(clientAddress(undefined, claimed, 0)).toBe("unknown");
});
