import { authHooks } from "~/features/auth/auth-hooks.server.ts";
import { Published } from "~/features/pages/published.server.ts";
import { createAuth } from "~/platform/auth/auth.ts";
import { guardTiming } from "~/platform/auth/guarded.ts";
import type { Config } from "~/platform/config/config.ts";
import { openKeyring } from "~/platform/crypto/keyring.ts";
import { type Database, openDatabase } from "~/platform/db/database.ts";
import { openMailer } from "~/platform/email/open.ts";
import type { Services } from "~/platform/http/services.ts";
import { createLog } from "~/platform/log/log.ts";
import { openStorage } from "~/platform/storage/open.ts";
import { openStripe } from "~/platform/stripe/stripe.ts";
import { openUploads } from "~/platform/uploads/open.ts";
import { type Clock, systemClock } from "~/platform/utils/clock.ts";
import { jobs } from "./jobs.ts";
import { keepSecret, requireDatabase } from "./lost-parts.ts";

/** Creates the services from the checked configuration; opens and migrates the database.
 * @param isNew begins a new site also where files of another one are @throws {ConfigError} */
export async function openServices(
  given: Config,
  clock: Clock = systemClock,
  isNew = false,
): Promise<Services> {
  const log = createLog(given.logLevel);
  if (!isNew) await requireDatabase(given);
  const db = await openDatabase(given, (error) =>
    log.error({ err: error }, "a database connection broke"),
  );
  const { config, journalKeys } = await openKeys(given, db, clock).catch(async (error: unknown) => {
    await db.close();
    throw error;
  });
  const storage = openStorage(config);
  const content = await Published.open({ db, log });
  const parts = { config, db, content, clock, log, wakeWorker: () => {} };
  const services: Services = {
    ...parts,
    journalKeys,
    mail: openMailer(config, () => content.site.email),
    stripe: openStripe(config),
    workKinds: new Map(jobs.map((job) => [job.kind, job])),
    storage,
    uploads: openUploads(config, storage, log),
    auth: guardTiming(
      createAuth({
        ...parts,
        hooks: authHooks({ ...parts, wakeWorker: () => services.wakeWorker() }),
      }),
      log,
    ),
  };
  return services;
}

async function openKeys(given: Config, db: Database, clock: Clock) {
  const authSecret = await keepSecret(given, db);
  const config = { ...given, authSecret, secretIsNew: false };
  return { config, journalKeys: await openKeyring(config, { db, clock }) };
}

export async function closeServices(services: Services): Promise<void> {
  services.mail.close();
  await services.db.close();
}
