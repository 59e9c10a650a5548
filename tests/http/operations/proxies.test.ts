import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:tls";
import { describe, expect, test } from "vitest";
import { getPanel } from "~/features/lesson-media/media-panel.server.ts";
import { newAddress } from "../../support/accounts.ts";
import { collectLog } from "../../support/log-lines.ts";
import { freePort } from "../../support/port.ts";
import { isInstalled, type ProxyName, proxies, startProxy } from "../../support/proxies.ts";
import { rawRequest } from "../../support/raw-request.ts";
import { startSite } from "../../support/site.ts";
import {
  filmOf,
  metadataHeader,
  metadataOf,
  sha,
  storedFilm,
  uploadingTo,
} from "../../support/uploads.ts";

const origin = "https://example.com";

type Ask = {
  method?: string;
  host?: string;
  headers?: Record<string, string>;
  body?: Buffer | string;
};

/** Asks as browsers do, with HTTP/2 and TLS, from an address of this machine's network of its own. */
async function client(port: number, from = "127.0.0.1") {
  const socket = connect({
    ...{ host: "127.0.0.1", port, localAddress: from },
    ...{ servername: "example.com", ALPNProtocols: ["h2"], rejectUnauthorized: false },
  });
  await once(socket, "secureConnect");
  const session = connectHttp2(origin, { createConnection: () => socket });
  return {
    async ask(path: string, { method = "GET", host = "example.com", headers, body }: Ask = {}) {
      const stream = session.request({
        ...{ ":method": method, ":path": path, ":authority": host },
        ...(method === "GET" ? {} : { origin }),
        ...headers,
      });
      stream.end(body);
      const [answer] = await once(stream, "response");
      const parts: Buffer[] = [];
      for await (const part of stream) parts.push(part);
      return { status: answer[":status"], headers: answer, body: Buffer.concat(parts) };
    },
    close: () => session.destroy(),
  };
}

type Client = Awaited<ReturnType<typeof client>>;

async function behind(name: ProxyName, settings: Record<string, string> = {}, cdn?: string) {
  const site = await startSite({ APP_URL: origin, LOG_LEVEL: "info", ...settings });
  const log = collectLog(site.services.log);
  const proxy = await startProxy(name, site.services.config.port, { cdn });
  const clients: Client[] = [];
  return {
    ...site,
    proxy,
    saidOfProxies: () => log.filter((line) => line.includes("PROXIES")),
    async from(address: string) {
      const one = await client(proxy.https, address);
      clients.push(one);
      return one;
    },
    async close() {
      for (const one of clients) one.close();
      await proxy.close();
      await site.close();
    },
  };
}

const signUp = (who: Client, forwardedFor: string) =>
  who.ask("/newsletter", {
    method: "POST",
    headers: {
      "x-forwarded-for": forwardedFor,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams({ firstName: "Ada", email: newAddress() }).toString(),
  });

/** How many of 22 sign-ups are let through: 20 an hour are, of one address. */
async function letThrough(who: Client, forwardedFor: (n: number) => string) {
  let count = 0;
  for (let n = 0; n < 22; n += 1)
    if ((await signUp(who, forwardedFor(n))).status === 303) count += 1;
  return count;
}

const names = Object.keys(proxies) as ProxyName[];

describe.each(names)("%s, as deploy/ has it", (name) => {
  test.runIf(isInstalled(name))("hands on pages, forms, films and addresses", async () => {
    const site = await behind(name);
    const ada = await site.from("127.0.0.2");

    const page = await ada.ask("/about");
    expect([page.status, page.body.toString()]).toEqual([200, expect.stringContaining("<h1")]);
    const health = await ada.ask("/healthz");
    expect(JSON.parse(health.body.toString())).toMatchObject({ status: "ok" });
    const moved = await rawRequest(`http://127.0.0.1:${site.proxy.http}`, {
      path: "/courses?a=b",
      headers: { host: "example.com" },
    });
    const encrypted = String(moved.headers.location).replace(`:${site.proxy.https}`, "");
    expect([moved.status, encrypted]).toEqual([308, `${origin}/courses?a=b`]);
    const second = await ada.ask("/courses?a=b", { host: "www.example.com" });
    expect([second.status, second.headers.location]).toEqual([308, `${origin}/courses?a=b`]);

    // Whatever a visitor says, they are who they are, and another one is not they.
    expect(await letThrough(ada, (n) => `203.0.113.${n}`)).toBe(20);
    expect((await signUp(await site.from("127.0.0.3"), "127.0.0.2")).status).toBe(303);
    expect(site.saidOfProxies()).toEqual([]);

    const film = filmOf(20_000_000, (room) => room.fill("film"));
    const lesson = await uploadingTo(site.services, site.url);
    const headers = { cookie: `__Host-${lesson.cookie}`, "tus-resumable": "1.0.0" };
    const begun = await ada.ask("/uploads", {
      method: "POST",
      headers: {
        ...headers,
        "upload-length": String(film.length),
        "upload-metadata": metadataHeader(metadataOf(lesson)),
      },
    });
    expect(begun.status).toBe(201);
    const piece = 8 * 1024 * 1024;
    for (let at = 0; at < film.length; at += piece) {
      const sent = await ada.ask(new URL(String(begun.headers.location), origin).pathname, {
        method: "PATCH",
        headers: {
          ...headers,
          "upload-offset": String(at),
          "content-type": "application/offset+octet-stream",
        },
        body: film.subarray(at, at + piece),
      });
      expect([at, sent.status]).toEqual([at, 204]);
    }
    expect(await storedFilm(site.services, lesson.lessonId)).toEqual({ sha: sha(film), open: 0 });
    const { stored } = (await getPanel(site.services, lesson.lessonId)).video;
    const { storage, clock } = site.services;
    const address = await storage.signedUrl("course-videos", stored?.key ?? "", clock.now());
    const played = await ada.ask(address.replace(origin, ""));
    expect([played.status, sha(played.body)]).toEqual([200, sha(film)]);
    await site.close();
  });

  test.runIf(isInstalled(name))("behind a CDN, believes the CDN and nobody else", async () => {
    const site = await behind(name, {}, "127.0.0.9/32");
    const cdn = await site.from("127.0.0.9");
    expect(await letThrough(cdn, (n) => `10.0.0.${n}, 203.0.113.7`)).toBe(20);
    expect((await signUp(cdn, "203.0.113.7, 203.0.113.8")).status).toBe(303);
    const direct = await site.from("127.0.0.2");
    expect(await letThrough(direct, (n) => `203.0.113.${n}`)).toBe(20);
    expect((await signUp(await site.from("127.0.0.3"), "127.0.0.2")).status).toBe(303);
    expect(site.saidOfProxies()).toEqual([]);
    await site.close();
  });

  test.runIf(isInstalled(name))("a wrong number of proxies is said once", async () => {
    const site = await behind(name, { TRUSTED_PROXIES: "3" });
    const ada = await site.from("127.0.0.2");
    for (let n = 0; n < 3; n += 1) await ada.ask("/my-courses");
    expect(site.saidOfProxies()).toEqual([expect.stringMatching(/PROXIES is 3, .* names 1 /)]);
    await site.close();
  });
});

test.runIf(isInstalled("haproxy"))("haproxy finds the site healthy with its check", async () => {
  const site = await startSite({ APP_URL: origin });
  const proxy = await startProxy("haproxy", site.services.config.port, {
    more: (text) =>
      text
        .replace(/(server one \S+)/, "option log-health-checks\n$1 check")
        .replace("# option httpchk", "option httpchk")
        .replace("# http-check", "http-check"),
  });
  await expect.poll(proxy.said, { timeout: 20_000 }).toMatch(/Health check .*one succeeded.*200/);
  await proxy.close();
  await site.close();
});

test.each(["caddy", "haproxy"] as const)("%s waits for a site that starts", async (name) => {
  if (!isInstalled(name)) return;
  const port = await freePort();
  const proxy = await startProxy(name, port);
  const ada = await client(proxy.https);
  const asked = ada.ask("/about");
  const site = await startSite({ APP_URL: origin, PORT: String(port) });
  expect((await asked).status).toBe(200);
  ada.close();
  await proxy.close();
  await site.close();
});
