import type { Query } from "./database.ts";

/** Changes with every committed change of products, modules or lessons. */
export async function readContentVersion(db: Query): Promise<number> {
  const { version } = await db
    .selectFrom("contentVersion")
    .select("version")
    .executeTakeFirstOrThrow();
  return version;
}
