import { pino } from "pino";
import { expect, test } from "vitest";
import { testConfig } from "../../../tests/support/config.ts";
import { clientAddress, watchProxies } from "./client-address.ts";

const proxy = "10.0.0.1";
const claimed = "6.6.6.6";
const caller = "203.0.113.7";
const from = (socketAddress: string | undefined, forwardedFor: string | null) => ({
  socketAddress,
  forwardedFor,
});

test.each<[string, string | null, number | undefined, string]>([
  ["no proxy", null, 0, proxy],
  ["no proxy, and a header of the caller's own", claimed, 0, proxy],
  ["no number, and a header from another machine", claimed, undefined, proxy],
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
  expect(clientAddress(from(proxy, forwardedFor), proxies)).toBe(expected);
});

test.each(["127.0.0.1", "::1", "::ffff:127.0.0.1"])(
  "without a number, one proxy on this machine (%s) is believed, and no second one",
  (own) => {
    expect(clientAddress(from(own, `${claimed}, ${caller}`))).toBe(caller);
    expect(clientAddress(from(own, null))).toBe(own);
    expect(clientAddress(from(own, caller), 0)).toBe(own);
  },
);

test("a caller who has hung up has no address", () => {
  expect(clientAddress(from(undefined, claimed), 0)).toBe("unknown");
});

test.each<[string, string | undefined, string, string | null, RegExp | null]>([
  ["a proxy on this machine", undefined, "127.0.0.1", caller, null],
  ["a proxy that was switched off", "0", "127.0.0.1", caller, /Set TRUSTED_PROXIES/],
  ["a proxy elsewhere in the network", undefined, proxy, caller, /Set TRUSTED_PROXIES/],
  ["a stranger's own header", undefined, caller, claimed, null],
  ["a proxy that does not say who asks", "1", "127.0.0.1", null, /names 0 of them/],
  ["a number that is too large", "2", "127.0.0.1", caller, /names 1 of them/],
  ["a number that fits", "1", proxy, `${claimed}, ${caller}`, null],
])("%s is said once in the log, if at all", async (_, number, socket, forwardedFor, words) => {
  const said: string[] = [];
  const log = pino({}, { write: (line) => said.push(JSON.parse(line).msg) });
  const config = await testConfig(undefined, number ? { TRUSTED_PROXIES: number } : {});
  const look = watchProxies({ config, log });
  for (let n = 0; n < 3; n += 1) look(from(socket, forwardedFor));
  expect(said).toEqual(words ? [expect.stringMatching(words)] : []);
});
