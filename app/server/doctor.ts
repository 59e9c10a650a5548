import { existsSync, statSync } from "node:fs";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { listReadiness } from "~/features/readiness/readiness.server.ts";
import {
  checkGroups,
  countStates,
  domainOf,
  isReservedHost,
  serverPath,
  sizeWords,
} from "~/features/readiness/rules.ts";
import { type Config, loadConfig } from "~/platform/config/config.ts";
import { type Database, sqliteFile } from "~/platform/db/database.ts";
import { lookAtCertificate } from "~/platform/doctor/certificate.ts";
import { type DnsFound, lookAtDns } from "~/platform/doctor/dns.ts";
import type { DnsRecord, Seen } from "~/platform/doctor/finding.ts";
import { lookAtClock, lookAtMailServer, lookAtSite } from "~/platform/doctor/servers.ts";
import { explain } from "~/platform/explain/explain.ts";
import type { Services } from "~/platform/http/services.ts";
import { CommandError } from "~/platform/utils/errors.ts";
import { closeServices, openServices } from "./services.ts";

const usage = "npm run doctor -- [--dkim NAME] [--dns SERVER] [--clock https://…]";

type Line = Seen & { href?: string };
type Part = { title: string; lines: Line[] };

/** `npm run doctor`: the checklist before opening, and what can be seen only from a shell. Sets exit
 * code 1 where something is missing. @throws {CommandError} */
export async function runDoctor(words: string[]): Promise<void> {
  const options = readOptions(words);
  const config = loadConfig({ ...process.env, LOG_LEVEL: "silent" });
  const { services, outcome } = await open(config);
  try {
    const contact = services?.content.site.email ?? "";
    const [checks, dns, server] = await Promise.all([
      services ? listReadiness(services) : [],
      lookAtDomain(config, { ...options, contact }),
      Promise.all([
        outcome,
        lookAtSite(config.appUrl),
        ...(config.appUrl.startsWith("https:")
          ? [lookAtCertificate(config.appUrl, new Date())]
          : []),
        ...(config.smtpUrl
          ? [lookAtMailServer(config.smtpUrl, new URL(config.appUrl).hostname)]
          : []),
        lookAtClock(options.clock ?? clockOf(config)),
        lookAtNode(process.versions.node),
      ]),
    ]);
    const parts: Part[] = [
      ...Object.entries(checkGroups).map(([group, title]) => ({
        title,
        lines: checks.filter((check) => check.group === group),
      })),
      { title: "Records of the domain", lines: dns.outcomes },
      { title: "The server", lines: server },
    ];
    const text = report(
      parts.filter(({ lines }) => lines.length > 0),
      dns.records,
      config.appUrl,
    );
    process.stdout.write(withoutSecrets(text, secretsOf(config)));
    if (parts.some(({ lines }) => lines.some(({ state }) => state === "missing")))
      process.exitCode = 1;
  } finally {
    if (services) await closeServices(services);
  }
}

function readOptions(words: string[]) {
  const one = { type: "string" } as const;
  try {
    const { values } = parseArgs({ args: words, options: { dkim: one, dns: one, clock: one } });
    const { dkim: selector = null, dns, clock } = values;
    if (selector !== null && !/^[\w.-]{1,63}$/.test(selector)) throw new Error(selector);
    if (clock !== undefined && !/^https?:/.test(new URL(clock).protocol)) throw new Error(clock);
    return { selector, servers: dns ? dns.split(",") : [], clock };
  } catch {
    throw new CommandError(usage);
  }
}

type Opened = { services: Services | null; outcome: Promise<Seen> };

async function open(config: Config): Promise<Opened> {
  const title = "Database";
  const failed = (text: string): Opened => ({
    services: null,
    outcome: Promise.resolve({ state: "missing", title, text }),
  });
  // Opening would begin a new site.
  if (!config.databaseUrl && !existsSync(sqliteFile(config)))
    return failed(`There is none in ${config.dataDir} yet: start the site once.`);
  try {
    const services = await openServices(config);
    return { services, outcome: sizeOf(services.db, config) };
  } catch (error) {
    return failed(explain(error));
  }
}

async function sizeOf(db: Database, config: Config): Promise<Seen> {
  const good = { state: "good", title: "Database" } as const;
  if (db.engine === "sqlite")
    return { ...good, text: `SQLite, ${sizeWords(statSync(sqliteFile(config)).size)}.` };
  const { rows } = await sql<{ size: string }>`
    select pg_database_size(current_database()) as size
  `.execute(db.read);
  return { ...good, text: `PostgreSQL, ${sizeWords(Number(rows[0]?.size))}.` };
}

type DomainOptions = { selector: string | null; servers: string[]; contact: string };

async function lookAtDomain(config: Config, options: DomainOptions): Promise<DnsFound> {
  const domain = domainOf(config.mailFrom);
  if (isReservedHost(domain) || !domain.includes(".")) {
    const text = `The sender's address (MAIL_FROM) is at ${domain}: there is nothing to look up.`;
    return { outcomes: [{ state: "look", title: "Sender", text }], records: [] };
  }
  const smtpHost = config.smtpUrl ? new URL(config.smtpUrl).hostname : null;
  return lookAtDns({ ...options, domain, smtpHost }).catch((error: NodeJS.ErrnoException) => {
    if (error.code?.startsWith("ERR_INVALID")) throw new CommandError(`--dns: ${usage}`);
    throw error;
  });
}

/** A clock that is not this machine's own. */
const clockOf = ({ stripe, appUrl }: Config) =>
  stripe ? (stripe.apiUrl ?? "https://api.stripe.com") : appUrl;

/** The site is tried with this one. */
const triedWith = 24;

function lookAtNode(version: string): Seen {
  const title = "Node";
  return Number.parseInt(version, 10) >= triedWith
    ? { state: "good", title, text: `Version ${version}.` }
    : { state: "look", title, text: `Version ${version}; the site is tried with ${triedWith}.` };
}

const width = 88;
const marks = { good: "ok", look: "look", missing: "MISSING" } as const;

function report(parts: Part[], records: DnsRecord[], appUrl: string): string {
  const worst = { missing: 0, look: 1, good: 2 };
  const lines: string[] = [];
  for (const { title, lines: own } of parts) {
    lines.push(title, "");
    for (const { state, title, text, href } of own.toSorted(
      (one, other) => worst[one.state] - worst[other.state],
    )) {
      lines.push(...wrapped(`${title}: ${text}`, marks[state]));
      if (href && href !== serverPath && state !== "good")
        lines.push(`${" ".repeat(indent)}${appUrl}${href}`);
    }
    lines.push("");
  }
  if (records.length > 0) {
    lines.push("Records to copy", "");
    for (const { name, type, value } of records) lines.push(`  ${name}.  ${type}  "${value}"`);
    lines.push("");
  }
  const all = parts.flatMap(({ lines: own }) => own);
  const { missing, look, good } = countStates(all);
  lines.push(`${missing} missing, ${look} worth a look, ${good} good.`, "");
  return lines.join("\n");
}

const indent = 10;

function wrapped(text: string, mark: string): string[] {
  const lines: string[] = [];
  let line = `  ${mark}`.padEnd(indent);
  // What servers and records say may move the cursor.
  for (const word of text.replaceAll(/[^\P{C}\n]/gu, "?").split(/\s+/)) {
    if (line.trim() !== "" && line.length + word.length > width) {
      lines.push(line.trimEnd());
      line = " ".repeat(indent);
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()];
}

function secretsOf(config: Config): string[] {
  const passwordOf = (url: string | undefined) => (url ? new URL(url).password : "");
  const passwords = [config.smtpUrl, config.databaseUrl].map(passwordOf);
  return [
    ...passwords.flatMap((password) => [password, decodeURIComponent(password)]),
    ...[config.authSecret, config.stripe?.secretKey, config.stripe?.webhookSecret],
    ...[config.s3?.secretAccessKey, config.admin?.password],
    ...config.providers.map(({ clientSecret }) => clientSecret),
  ].filter((secret): secret is string => Boolean(secret));
}

/** Whatever a server repeats of what it was sent. */
const withoutSecrets = (text: string, secrets: readonly string[]) =>
  secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), text);
