import { describe, expect, test } from "vitest";
import { rawSocket, request } from "../../support/raw-socket.ts";
import { expectSecurityHeaders } from "../../support/security-headers.ts";
import { siteOfFile } from "../../support/site.ts";

const appUrl = "https://grief.example";
const site = siteOfFile({ APP_URL: appUrl });

const Host = "grief.example";
const form = { Host, Origin: appUrl, "Content-Type": "application/x-www-form-urlencoded" };
const post = "POST /newsletter HTTP/1.1";
/** What a smuggler hides behind a request, for the next reader to take as one of its own. */
const hidden = request("GET /healthz HTTP/1.1", { Host });

const sized = (length: string) => request(post, { ...form, "Content-Length": length }, "a=b");
const coded = (coding: string, body = "0\r\n\r\n", name = "Transfer-Encoding") =>
  request(post, { ...form, [name]: coding }, body);
const chunk = (size: string) => coded("chunked", `${size}\r\na=b\r\n0\r\n\r\n`);
const at = (host: string) => request("GET /auth HTTP/1.1", { Host: host });

describe("a request that two readers could take for two different ones", () => {
  const both = { "Content-Length": "6", "Transfer-Encoding": "chunked" };
  const otherWay = { "Transfer-Encoding": "chunked", "Content-Length": "3" };
  const smuggled: [string, string][] = [
    ["both lengths", request(post, { ...form, ...both }, "0\r\n\r\n")],
    ["both lengths, the other way round", request(post, { ...form, ...otherWay }, "a=b")],
    ["two lengths", request(`${post}\r\nContent-Length: 3\r\nContent-Length: 9`, form, "a=b")],
    ["a list of lengths", sized("3, 9")],
    ["a negative length", sized("-1")],
    ["a length with a sign", sized("+3")],
    ["a length in hex", sized("0x3")],
    ["a chunk without a size", chunk("zz")],
    ["a chunk of a negative size", chunk("-3")],
    ["a chunk of more than there is", chunk("1")],
    ["a chunk size beyond every number", chunk("f".repeat(20))],
    ["another coding", coded("xchunked")],
    ["a coding before chunks", coded("gzip, chunked")],
    ["chunks twice", coded("chunked, chunked")],
    ["chunks, and something else", coded("chunked, identity")],
    ["a coding with a tab", coded("\tchunked\t, x")],
    ["a blank before the colon", coded("chunked", undefined, "Transfer-Encoding ")],
    [
      "a folded header",
      request(`${post}\r\nX: a\r\n Transfer-Encoding: chunked`, form, "0\r\n\r\n"),
    ],
    ["bare line ends", "GET / HTTP/1.1\nHost: grief.example\nX: y\n\n"],
    ["a line end in a name", request("GET / HTTP/1.1", { Host, "X\rY": "1" })],
    ["two hosts", request(`GET / HTTP/1.1\r\nHost: evil.example`, { Host })],
    ["no host", request("GET /about HTTP/1.1", { Accept: "*/*" })],
    ["no host in HTTP/1.0", request("GET /auth HTTP/1.0", { Accept: "*/*" })],
    ["a host with a blank", at("grief .example")],
    ["a host with a path", at("evil.example/x?y#")],
    ["a host with a name before it", at("eve@grief.example")],
    ["a host that is half an address", at("[::1")],
    ["an empty host", at("")],
    ["NUL in a header", request("GET / HTTP/1.1", { Host, X: "a\0b" })],
    ["another protocol", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["no HTTP at all", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"],
    ["a word", "HELP\r\n\r\n"],
    ["a backslash for a slash", request("GET /\\evil.example/ HTTP/1.1", { Host })],
    ["no path", request("GET * HTTP/1.1", { Host })],
    ["another scheme", request("GET ftp://grief.example/auth HTTP/1.1", { Host })],
  ];

  test.each(smuggled)("%s: refused, and nothing behind it is read", async (what, bytes) => {
    const answer = await rawSocket(site.url, `${bytes}${hidden}`, { toTheEnd: true });
    expect([what, answer.status, answer.closed]).toEqual([what, 400, true]);
    expect(answer.answers).toBe(1);
    expectSecurityHeaders(answer.headers, what);
  });
});

test("a connection that wants to be another one's is ended without a word", async () => {
  const connect = request("CONNECT evil.example:443 HTTP/1.1", { Host: "evil.example" });
  const answer = await rawSocket(site.url, connect, { toTheEnd: true });
  expect([answer.status, answer.closed]).toEqual([0, true]);
});

describe("what Node itself refuses carries our headers", () => {
  const long = "a".repeat(100_000);
  const many = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`x-${n}`, "1"]));
  const cases: [string, number, string][] = [
    ["a header of 100,000 bytes", 431, request("GET / HTTP/1.1", { Host, X: long })],
    ["a cookie of 100,000 bytes", 431, request("GET / HTTP/1.1", { Host, Cookie: `a=${long}` })],
    ["3,000 headers", 431, request("GET / HTTP/1.1", { Host, ...many })],
    ["an address of 100,000 bytes", 431, request(`GET /${long} HTTP/1.1`, { Host })],
    ["an expectation", 417, request(post, { ...form, Expect: "the-moon", "Content-Length": "0" })],
    [
      "a chunk with endless words behind its size",
      413,
      coded("chunked", `3;${"x".repeat(20_000)}\r\na=b`),
    ],
  ];
  test.each(cases)("%s: %i", async (what, status, bytes) => {
    const answer = await rawSocket(site.url, bytes);
    expect([what, answer.status]).toEqual([what, status]);
    expectSecurityHeaders(answer.headers, what);
  });
});

test("after all of this the site answers as before", async () => {
  expect((await site.ask("/healthz")).status).toBe(200);
  expect((await site.ask("/")).status).toBe(200);
});
