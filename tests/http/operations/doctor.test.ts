import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttp } from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lookAtCertificate } from "~/platform/doctor/certificate.ts";
import { lookAtDns } from "~/platform/doctor/dns.ts";
import { lookAtClock, lookAtMailServer, lookAtSite } from "~/platform/doctor/servers.ts";
import { selfMadeCertificate } from "../../support/certificate.ts";
import { startDns } from "../../support/dns-server.ts";
import { command, placesOfFile } from "../../support/media-stores.ts";
import { freePort } from "../../support/port.ts";
import { startServing } from "../../support/process.ts";
import { startMailServer } from "../../support/smtp.ts";

const keyOf = (bits: number) =>
  generateKeyPairSync("rsa", { modulusLength: bits })
    .publicKey.export({ format: "der", type: "spki" })
    .toString("base64");
const many = Array.from({ length: 11 }, (_, at) => `include:s${at}.org`).join(" ");

const txt: Record<string, string[]> = {
  "good.org": ["v=spf1 include:_spf.mail.org -all", "some-site-verification=1"],
  "s1._domainkey.good.org": [`v=DKIM1; k=rsa; p=${keyOf(2048)}`],
  "_dmarc.good.org": ["v=DMARC1; p=reject"],
  "two.org": ["v=spf1 a -all", "v=spf1 mx -all"],
  "s1._domainkey.two.org": ["v=DKIM1; p=AAAA", "v=DKIM1; p=BBBB"],
  "_dmarc.two.org": ["v=DMARC1; p=none", "v=DMARC1; p=reject"],
  "open.org": ["v=spf1 +all"],
  "s1._domainkey.open.org": ["v=DKIM1; k=rsa; p="],
  "_dmarc.open.org": ["v=DMARC1; rua=mailto:a@open.org"],
  "endless.org": ["v=spf1 mx"],
  "s1._domainkey.endless.org": ["v=DKIM1; k=rsa; p=bm8ga2V5"],
  "_dmarc.endless.org": ["v=DMARC1; p=none"],
  "greedy.org": [`v=spf1 ${many} ~all`],
  "s1._domainkey.greedy.org": [`p=${keyOf(1024)}`],
};
const mx = { "good.org": ["in.mail.org"] };

let dns: Awaited<ReturnType<typeof startDns>>;
beforeAll(async () => {
  dns = await startDns({ txt, mx });
});
afterAll(() => dns.close());

const looked = (domain: string, more: object = {}) =>
  lookAtDns({
    ...{ domain, smtpHost: null, selector: "s1", contact: `ada@${domain}` },
    ...{ servers: [dns.address], ...more },
  });
const states = (found: Awaited<ReturnType<typeof lookAtDns>>) =>
  found.outcomes.map(({ state }) => state);

describe("the records of a domain", () => {
  test("all of them good: nothing to copy", async () => {
    const found = await looked("good.org");
    expect(states(found)).toEqual(["good", "good", "good", "good"]);
    expect(found.records).toEqual([]);
    expect(found.outcomes[1]?.text).toBe("There is a key of 2048 bits.");
  });

  test("a part of a domain has the DMARC record of the whole", async () => {
    const found = await looked("mail.good.org");
    expect(states(found)).toEqual(["missing", "missing", "good", "look"]);
  });

  test("none of them: each is there to copy", async () => {
    const found = await looked("none.org", { smtpHost: "smtp.sendgrid.net" });
    expect(states(found)).toEqual(["missing", "missing", "missing", "look"]);
    expect(found.records).toEqual([
      { name: "none.org", type: "TXT", value: "v=spf1 include:sendgrid.net -all" },
      {
        ...{ name: "s1._domainkey.none.org", type: "TXT" },
        value: "v=DKIM1; k=rsa; p=<the key that your mail provider shows>",
      },
      {
        ...{ name: "_dmarc.none.org", type: "TXT" },
        value: "v=DMARC1; p=quarantine; rua=mailto:ada@none.org",
      },
    ]);
  });

  test.each<[string, string[], RegExp[]]>([
    ["two.org", ["missing", "missing", "missing"], [/2 records/, /2 keys/, /2 records/]],
    ["open.org", ["missing", "missing", "missing"], [/allows anybody/, /taken back/, /no policy/]],
    ["endless.org", ["missing", "missing", "look"], [/end is missing/, /cannot be read/, /p=none/]],
    ["greedy.org", ["missing", "look", "missing"], [/11 other/, /1024 bits/, /no such record/]],
  ])("%s: what is wrong is said", async (domain, expected, says) => {
    const found = await looked(domain);
    expect(states(found).slice(0, 3)).toEqual(expected);
    for (const [at, words] of says.entries()) expect(found.outcomes[at]?.text).toMatch(words);
  });

  test("without a selector, DKIM is asked for; a server that says nothing is no fault", async () => {
    const [, unnamed] = (await looked("good.org", { selector: null })).outcomes;
    expect(unnamed).toMatchObject({ state: "look", text: expect.stringContaining("--dkim NAME") });
    const began = performance.now();
    const silent = await looked("silent.org");
    expect(performance.now() - began).toBeLessThan(6000);
    expect(silent.outcomes[0]).toMatchObject({ state: "look" });
    expect(silent.outcomes[0]?.text).toMatch(/did not answer/);
  });
});

/** A server with this certificate, which answers everything with 200. */
async function startTls(made: ReturnType<typeof selfMadeCertificate>) {
  const server = createHttps({ cert: made.cert, key: made.key }, (_, answer) => answer.end("ok"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `https://localhost:${port}`, close: () => server.close() };
}

describe("the certificate of an address", () => {
  const made = selfMadeCertificate(90);
  let tls: Awaited<ReturnType<typeof startTls>>;
  beforeAll(async () => {
    tls = await startTls(made);
  });
  afterAll(() => tls.close());

  test("that no authority vouches for is not trusted", async () => {
    const { state, text } = await lookAtCertificate(tls.url, new Date());
    expect([state, text]).toEqual(["missing", expect.stringMatching(/Browsers do not trust it/)]);
  });

  test("for another name, or after its end, is said", async () => {
    const other = await startTls(selfMadeCertificate(90, "DNS:elsewhere.org"));
    expect(await lookAtCertificate(other.url, new Date())).toMatchObject({
      ...{ state: "missing", text: "It is not for this name (elsewhere.org)." },
    });
    other.close();
    const later = new Date(Date.now() + 100 * 24 * 3600_000);
    expect((await lookAtCertificate(tls.url, later)).text).toMatch(/It ended 1\d days ago/);
  });

  test("where there is no server, says so", async () => {
    const { state, text } = await lookAtCertificate(
      `https://localhost:${await freePort()}`,
      new Date(),
    );
    expect([state, text]).toEqual(["missing", expect.stringMatching(/ECONNREFUSED/)]);
  });
});

describe("other servers", () => {
  test("the clock: agrees, is off, is asked in vain", async () => {
    let offSeconds = 0;
    const server = createHttp((_, answer) => {
      answer.sendDate = false;
      answer.setHeader("Date", new Date(Date.now() - offSeconds * 1000).toUTCString());
      answer.end();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const seen: string[] = [];
    for (offSeconds of [0, 12, 400]) seen.push((await lookAtClock(url)).state);
    expect(seen).toEqual(["good", "look", "missing"]);
    offSeconds = -400;
    expect((await lookAtClock(url)).text).toMatch(/(399|40\d) seconds behind/);
    server.close();
    server.closeAllConnections();
    expect(await lookAtClock(url)).toMatchObject({ state: "look" });
    expect(await lookAtSite(url)).toMatchObject({ state: "missing" });
  });

  test("the mail server: answers, refuses the password, is away; nothing is sent", async () => {
    const port = await freePort();
    const smtp = await startMailServer(port, { password: "right" });
    const at = (password: string) => `smtp://ada:${password}@127.0.0.1:${port}`;
    expect(await lookAtMailServer(at("right"), "localhost")).toMatchObject({
      ...{ state: "good", text: "It answers, not encrypted, and accepts the password." },
    });
    const refused = await lookAtMailServer(at("wrong-one"), "localhost");
    expect(refused).toMatchObject({ state: "missing", text: expect.stringMatching(/535/) });
    expect(refused.text).not.toContain("wrong-one");
    expect(smtp.received()).toBe(0);
    await smtp.close();
    expect(await lookAtMailServer(at("right"), "localhost")).toMatchObject({ state: "missing" });
  });
});

describe("npm run doctor", { timeout: 180_000 }, () => {
  const fresh = placesOfFile();

  test("beside a running site prints the checklist, the records and the servers, and no secret", async () => {
    const place = await fresh();
    const made = selfMadeCertificate(90);
    const tls = await startTls(made);
    const port = await freePort();
    const smtp = await startMailServer(port, { password: "smtp-password" });
    const settings = {
      ...place.env,
      APP_URL: tls.url,
      SMTP_URL: `smtp://ada:smtp-password@127.0.0.1:${port}`,
      MAIL_FROM: "Ada <ada@good.org>",
      STRIPE_SECRET_KEY: "sk_test_of_the_doctor",
      STRIPE_WEBHOOK_SECRET: "whsec_of_the_doctor",
      STRIPE_API_URL: tls.url,
      NODE_EXTRA_CA_CERTS: made.certFile,
    };
    const site = await startServing(settings);
    const { code, out, err } = await command(
      settings,
      "doctor",
      "--dkim",
      "s1",
      "--dns",
      dns.address,
    );
    await site.kill("SIGTERM");
    tls.close();
    await smtp.close();
    expect([code, err]).toEqual([1, ""]);
    for (const line of [
      /^ {2}MISSING Testimonials: Two quotes on Home are invented examples\./m,
      /^ {10}https:\/\/localhost:\d+\/admin\/pages\/home\?field=testimonials/m,
      /^ {2}ok {6}SPF of good\.org: v=spf1/m,
      /^ {2}ok {6}DKIM of good\.org: There is a key of 2048 bits\./m,
      /^ {2}ok {6}Certificate of localhost: It is good for (89|90) more days\./m,
      /^ {2}ok {6}Mail server 127\.0\.0\.1: It answers/m,
      /^ {2}ok {6}Clock: It agrees/m,
      /^ {2}ok {6}Database: (SQLite|PostgreSQL), \d+(\.\d)? MB\./m,
      /^\d+ missing, \d+ worth a look, \d+ good\.$/m,
    ])
      expect(out).toMatch(line);
    for (const secret of ["smtp-password", "sk_test_of_the_doctor", "whsec_of_the_doctor"])
      expect(out).not.toContain(secret);
    expect(Math.max(...out.split("\n").map(({ length }) => length))).toBeLessThan(200);
    expect(out.length).toBeLessThan(20_000);
  });

  test("without a database, or with one that is away, looks at the rest", async () => {
    const [place, clock] = [await fresh(), ["--clock", `http://127.0.0.1:${await freePort()}`]];
    const away = {
      ...{ DATA_DIR: place.dataDir, AUTH_SECRET: "s".repeat(32) },
      DATABASE_URL: `postgres://none:db-password@127.0.0.1:${await freePort()}/x`,
    };
    const end = await command(away, "doctor", ...clock);
    expect([end.code, end.err]).toEqual([1, ""]);
    expect(end.out).toMatch(/MISSING Database: DATABASE_URL: the database does not answer/);
    expect(end.out).toContain("The server");
    expect(end.out).not.toContain("db-password");
    const none = await command({ DATA_DIR: place.dataDir }, "doctor", ...clock);
    expect(none.out).toMatch(/MISSING Database: There is none in \S+ yet:\s+start the site once/);
  });

  test.each([
    [["--dkim", "a b"]],
    [["--clock", "ftp://x"]],
    [["--what"]],
    [["--dns", "not-an-address"]],
  ])("%j is refused with how to ask", async (words) => {
    const place = await fresh();
    const env = { ...place.env, MAIL_FROM: "ada@good.org", SMTP_URL: "smtp://127.0.0.1:9" };
    const { code, err } = await command(env, "doctor", ...words);
    expect([code, err]).toEqual([1, expect.stringContaining("npm run doctor -- [--dkim NAME]")]);
  });
});
