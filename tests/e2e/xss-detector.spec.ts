import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { watchForAttacks } from "./support/xss-detector.ts";

const strict = "default-src 'self'; script-src 'self' 'nonce-own'; img-src 'self' data:";

/** The page at /<number> of its own server; with a policy where there is one. */
type Case = { name: string; html: string; policy?: string; says: RegExp };

const elsewhere = "https://elsewhere.invalid";

const cases: Case[] = [
  { name: "a script", html: "<script>xss(1)</script>", says: /^ran: xss\(1\)/ },
  { name: "a script that stands there", html: "<script>let a</script>", says: /^script: <script>/ },
  { name: "an event", html: "<img src=/none onerror=xss(2)>", says: /^ran: xss\(2\)/ },
  { name: "an event to come", html: "<p onclick=xss(3)>a", says: /^attribute onclick: <p/ },
  { name: "a dialog", html: "<script>alert(4)</script>", says: /^dialog: 4/ },
  { name: "eval", html: "<script>eval('xss(5)')</script>", says: /^ran: xss\(5\)/ },
  {
    name: "a request",
    html: `<script>fetch("${elsewhere}/6").catch(() => {})</script>`,
    says: /^another host: .*\/6/,
  },
  { name: "a picture", html: `<img src=${elsewhere}/7>`, says: /^another host: .*\/7/ },
  {
    name: "a picture to come",
    html: `<img loading=lazy hidden src=${elsewhere}/8>`,
    says: /^address in src: <img/,
  },
  { name: "a window", html: "<script>open('/0')</script>", says: /^a window was opened/ },
  {
    name: "a file",
    html: "<a id=a href='data:text/html,a' download=a.html>a</a><script>a.click()</script>",
    says: /^download: data:/,
  },
  { name: "a frame", html: "<iframe srcdoc='<script>parent.xss(9)</script>'>", says: /^ran: xss/ },
  { name: "the frame itself", html: "<iframe srcdoc=a>", says: /^element: <iframe/ },
  { name: "where a frame goes", html: "<iframe src='data:text/html,a'>", says: /^went to data:/ },
  {
    name: "where the page goes",
    html: "<script>location = 'data:text/html,a'</script>",
    says: /^stopped: Not allowed to navigate/,
  },
  { name: "an object", html: "<object data=/0></object>", says: /^element: <object/ },
  { name: "a base", html: "<base href=/elsewhere/>", says: /^element: <base/ },
  {
    name: "a refresh",
    html: "<meta http-equiv=refresh content='9999;url=/0'>",
    says: /^element: <meta/,
  },
  { name: "a style", html: "<style>p { color: red }</style>", says: /^element: <style/ },
  { name: "a style sheet", html: "<link rel=stylesheet href='data:text/css,a'>", says: /^address/ },
  { name: "looks", html: `<p style="background: url(/0)">a`, says: /^style: <p/ },
  { name: "a link", html: "<a href='java\nscript:xss(1)'>a</a>", says: /^address in href: <a/ },
  {
    name: "a drawn link",
    html: "<svg><a xlink:href='javascript:a'/></svg>",
    says: /^address in x/,
  },
  { name: "a form", html: `<form action=${elsewhere}>`, says: /^address in action: <form/ },
  { name: "a button", html: "<button formaction='javascript:a'>", says: /^address in formaction/ },
  { name: "a drawing in a text", html: "<div class=prose><svg></svg></div>", says: /^in prose/ },
  {
    name: "the shadow of an element",
    html: "<div><template shadowrootmode=open><p onclick=a()>a</template></div>",
    says: /^attribute onclick/,
  },
  ...[
    ["script-src-elem", "<script>xss(1)</script>"],
    ["script-src-attr", "<img src=/none onerror=xss(1)>"],
    ["style-src-elem", "<style>p {}</style>"],
    ["img-src", `<img src=${elsewhere}>`],
    ["script-src ", "<script nonce=own>try { eval('1') } catch {}</script>"],
  ].map(([directive, html = ""]) => ({
    name: `what a policy stops: ${directive}`,
    html,
    policy: strict,
    says: new RegExp(`^stopped by the policy: ${directive}`),
  })),
];

const harmless = `<script type="application/ld+json">{"a": "xss(1)"}</script>
<script nonce="own">const a = "</" + "script>xss(1)"</script>
<a href="${elsewhere}">a</a> <a href="mailto:a@example.com">a</a>
<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
<form action="/0"><button>a</button></form> &lt;script&gt;xss(1)&lt;/script&gt;
<div class="prose"><p>javascript:xss(1)</p></div>`;

let server: Server;
let origin: string;

test.beforeAll(async () => {
  server = createServer(({ url = "" }, answer) => {
    const { html, policy } = cases[Number(url.slice(1))] ?? { html: harmless, policy: strict };
    if (url === "/none") return answer.writeHead(404).end();
    answer.setHeader("content-type", "text/html; charset=utf-8");
    if (policy) answer.setHeader("content-security-policy", policy);
    answer.end(`<!doctype html><title>a</title>${html}`);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
test.afterAll(() => void server.close());

test("each kind of attack is noticed", async ({ browser }) => {
  for (const [number, { name, says }] of cases.entries()) {
    const context = await browser.newContext();
    const detector = await watchForAttacks(context, origin);
    const page = await context.newPage();
    await page.goto(`${origin}/${number}`);
    const all = async () => [...detector.noticed, ...(await detector.dangers(page))];
    await expect.soft
      .poll(async () => (await all()).join("\n"), name)
      .toMatch(new RegExp(says, "m"));
    await context.close();
  }
});

test("a page without any is not accused", async ({ browser }) => {
  const context = await browser.newContext();
  const detector = await watchForAttacks(context, origin);
  const page = await context.newPage();
  await page.goto(`${origin}/harmless`);
  expect(await detector.dangers(page)).toEqual([]);
  expect(detector.noticed).toEqual([]);
  await context.close();
});
