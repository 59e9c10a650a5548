import { rmSync } from "node:fs";
import { loadConfig } from "~/platform/config/config.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { temporaryFolder } from "./config.ts";
import { freshDatabase } from "./database.ts";
import { statement } from "./database-dump.ts";
import { startServing } from "./process.ts";
import { startS3 } from "./s3.ts";

type Asking = { cookie?: string; from?: string; form?: Record<string, string>; json?: unknown };

/** Two processes on one database, which has to be PostgreSQL, with one store, behind a proxy. */
export async function startTwoMachines(settings: Record<string, string> = {}) {
  const [{ url = "", drop }, s3] = [await freshDatabase(), await startS3()];
  const appUrl = "http://site.example";
  const env: Record<string, string> = {
    ...{ DATABASE_URL: url, AUTH_SECRET: "one-secret-for-all-".repeat(2) },
    ...{ APP_URL: appUrl, TRUSTED_PROXIES: "1", ...s3.env, ...settings },
  };
  // At once, on a database with nothing in it.
  const [one, other] = await Promise.all([startServing(env), startServing(env)]);
  const machines = [one, other];
  const dataDir = temporaryFolder();
  const services = await openServices(
    loadConfig({ ...env, DATA_DIR: dataDir, LOG_LEVEL: "silent" }),
  );
  return {
    ...{ appUrl, env, s3, one, other, machines, services },
    sql: (text: string) => statement({ url }, text),
    /** One of them, as the proxy asks it for somebody at the address `from`. */
    ask({ port }: { port: string }, path: string, asking: Asking = {}) {
      const { cookie, from = "203.0.113.1", form, json } = asking;
      const headers = new Headers({ "x-forwarded-for": from });
      if (cookie) headers.set("cookie", cookie);
      const body = form ? new URLSearchParams(form) : json ? JSON.stringify(json) : null;
      if (body) headers.set("origin", appUrl);
      if (json) headers.set("content-type", "application/json");
      const method = body ? "POST" : "GET";
      const address = `http://127.0.0.1:${port}${path}`;
      return fetch(address, { headers, redirect: "manual", method, body });
    },
    async close() {
      await Promise.all(machines.map((machine) => machine.kill("SIGTERM")));
      await closeServices(services);
      await s3.close();
      await drop();
      for (const folder of [dataDir, ...machines.map((machine) => machine.dataDir)])
        rmSync(folder, { recursive: true, force: true });
    },
  };
}
