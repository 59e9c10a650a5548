import type { Selectable, Updateable } from "kysely";
import { newId } from "~/platform/db/ids.ts";
import type { Tables } from "~/platform/db/tables.ts";
import type { Services } from "~/platform/http/services.ts";

type Db = Pick<Services, "db">;
/** Tables whose rows belong to a user; of `profiles` it is the user's own row. */
type OwnTable =
  | "accounts"
  | "backupCodes"
  | "emailChanges"
  | "enrollments"
  | "factors"
  | "outbox"
  | "passkeys"
  | "profiles"
  | "sentEmails"
  | "sessions";

// The types of a query on a union of tables say nothing.
const all = "sessions";
const owner = (table: OwnTable) => (table === "profiles" ? "id" : "userId");

/** The rows of a table that belong to a user. */
export async function ownRows<Table extends OwnTable>({ db }: Db, table: Table, userId: string) {
  const own = db.write.selectFrom(table as typeof all).where(owner(table), "=", userId);
  return (await own.selectAll().execute()) as unknown as Selectable<Tables[Table]>[];
}

/** Changes all of them. */
export async function changeOwn<Table extends OwnTable>(
  { db }: Db,
  table: Table,
  userId: string,
  values: Updateable<Tables[Table]>,
) {
  const own = db.write.updateTable(table as typeof all).where(owner(table), "=", userId);
  await own.set(values as Updateable<Tables[typeof all]>).execute();
}

/** Deletes all of them. */
export async function deleteOwn({ db }: Db, table: OwnTable, userId: string) {
  await db.write
    .deleteFrom(table as typeof all)
    .where(owner(table), "=", userId)
    .execute();
}

export const profileOf = async ({ db }: Db, userId: string) =>
  (await ownRows({ db }, "profiles", userId))[0];

/** The accounts with this address: one, or none. */
export const profilesWith = ({ db }: Db, email: string) =>
  db.write.selectFrom("profiles").selectAll().where("email", "=", email.toLowerCase()).execute();

export const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** A passkey that no device has. */
export async function givePasskey({ db }: Db, userId: string, name = "Laptop") {
  const made = { id: newId(), credentialId: newId(), createdAt: new Date() };
  const key = { publicKey: "x", counter: 0, deviceType: "singleDevice", backedUp: false };
  await db.write
    .insertInto("passkeys")
    .values({ ...made, ...key, userId, name })
    .execute();
}
