import { rmSync } from "node:fs";
import type { Config } from "~/platform/config/config.ts";
import type { ReceiveTimeouts } from "~/platform/http/request-guard.ts";
import { openSite } from "../../build/server/index.js";
import { movableClock } from "./clock.ts";
import { testConfig } from "./config.ts";
import { migratedDatabase } from "./database.ts";
import { openForTests } from "./open-for-tests.ts";
import { cookieOf } from "./people.ts";

export type Asking = {
  /** The person who asks; no one by default. */
  as?: { id: string; cookie?: string } | null;
  method?: string;
  /** A form's fields; repeated names as pairs. */
  form?: Record<string, string> | [string, string][];
  multipart?: [string, string | Blob][];
  json?: unknown;
  /** Anything else, as it is. */
  body?: BodyInit;
  headers?: Record<string, string>;
  /** Leave the Origin header out, or name another one. */
  origin?: string | null;
};

export type TestSite = Awaited<ReturnType<typeof startSite>>;

/** The built site on a real port and a real, empty database, with a clock that can be moved. */
export async function startSite(
  env: Record<string, string> = {},
  patience?: ReceiveTimeouts,
  alter: (config: Config) => Config = (config) => config,
) {
  const database = await migratedDatabase();
  const clock = movableClock();
  const config = alter(await testConfig(database.url, env));
  const site = await openSite(config, clock, { patience });
  const { services } = site;

  /** One real HTTP request, with the headers that a browser sends; redirects are not followed. */
  async function ask(path: string, asking: Asking = {}): Promise<Response> {
    const headers = new Headers(asking.headers);
    if (asking.as)
      headers.append("cookie", asking.as.cookie ?? (await cookieOf(services, asking.as.id)));
    const body = bodyOf(asking, headers);
    const method = asking.method ?? (body === undefined ? "GET" : "POST");
    if (method !== "GET" && asking.origin !== null)
      headers.set("origin", asking.origin ?? config.appUrl);
    return fetch(new URL(path, site.url), { method, headers, body, redirect: "manual" });
  }

  return {
    ...site,
    clock,
    ask,
    /** A new session of this person, as a Cookie header. */
    cookieOf: (person: { id: string }) => cookieOf(services, person.id),
    async close() {
      await site.close();
      await database.drop();
      rmSync(config.dataDir, { recursive: true, force: true });
    },
  };
}

/** The site of a test file: open for all of its tests, behind a proxy (visitor.ts). */
export const siteOfFile = (env: Record<string, string> = {}, patience?: ReceiveTimeouts) =>
  openForTests(() => startSite({ TRUSTED_PROXIES: "1", ...env }, patience));

function bodyOf({ form, multipart, json, body }: Asking, headers: Headers): BodyInit | undefined {
  if (body !== undefined) return body;
  if (form) return new URLSearchParams(form);
  if (json !== undefined) {
    headers.set("content-type", "application/json");
    return JSON.stringify(json);
  }
  if (!multipart) return undefined;
  const data = new FormData();
  for (const [name, value] of multipart) data.append(name, value);
  return data;
}
