import { rmSync } from "node:fs";
import type { Config } from "~/platform/config/config.ts";
import type { Services } from "~/platform/http/services.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { movableClock } from "./clock.ts";
import { testConfig } from "./config.ts";
import { migratedDatabase } from "./database.ts";

/** The real services on a real, empty database, without a server. */
export async function openTestServices(env: Record<string, string> = {}) {
  const database = await migratedDatabase();
  const clock = movableClock();
  const config = await testConfig(database.url, env);
  const services: Services = await openServices(config, clock);
  return {
    services,
    clock,
    async close() {
      await closeServices(services);
      await database.drop();
      rmSync(config.dataDir, { recursive: true, force: true });
    },
  };
}

/** Does something with the services of a site that is not running. */
export async function withServices<T>(
  config: Config,
  work: (services: Services) => Promise<T>,
): Promise<T> {
  const services = await openServices(config);
  await services.storage.prepare();
  try {
    return await work(services);
  } finally {
    await closeServices(services);
  }
}
