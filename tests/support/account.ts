import { sql } from "kysely";
import type { Services } from "~/platform/http/services.ts";
import { createAccount, goodPassword } from "./accounts.ts";
import { emailTo, pathOf, type ReceivedEmail } from "./mailbox.ts";
import type { Asking, TestSite } from "./site.ts";

export type Holder = Awaited<ReturnType<typeof holder>>;

/** Someone with an account and a password, who is signed in on one device. */
export async function holder(site: TestSite, making: Parameters<typeof createAccount>[1] = {}) {
  const account = await createAccount(site.services, making);
  const device = () => newDevice(site, account.id);
  return { ...account, password: goodPassword, ask: await device(), device };
}

/** One more device of a user, with a session of its own. */
export async function newDevice(site: TestSite, userId: string) {
  const cookie = await site.cookieOf({ id: userId });
  return (path: string, asking: Asking = {}) =>
    site.ask(path, { ...asking, headers: { cookie, ...asking.headers } });
}

/** Whether a device is still signed in. */
export const isIn = async (ask: Holder["ask"]) => (await ask("/my-courses")).status === 200;

/** The page that an email leads to, and a press on its button. */
export function pageOf(site: TestSite, message: ReceivedEmail) {
  const path = pathOf(message);
  return {
    look: (ask: Holder["ask"] = site.ask) => ask(path),
    press: (ask: Holder["ask"] = site.ask) => ask(path, { form: {} }),
  };
}

/** The page of the email with this number to this address. */
export const pageFor = async (site: TestSite, address: string, count = 1) =>
  pageOf(site, await emailTo(site.services.config, address, count));

/** Every cell of the database that has this text in it, as 'table.column'. */
export async function cellsWith(services: Services, text: string): Promise<string[]> {
  const { db } = services;
  const tables = await db.write.introspection.getTables({ withInternalKyselyTables: false });
  const found = new Set<string>();
  for (const { name, columns } of tables) {
    if (name.includes("search_")) continue;
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
      db.write,
    );
    for (const row of rows)
      for (const [column, cell] of Object.entries(row))
        if (cell !== null && JSON.stringify(cell)?.includes(text)) found.add(`${name}.${column}`);
    if (columns.length === 0) throw new Error(`${name} has no columns`);
  }
  return [...found].sort();
}
