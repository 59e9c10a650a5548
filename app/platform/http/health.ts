import { sql } from "kysely";
import type { Services } from "./services.ts";

const patienceMs = 2000;

export async function health({ db }: Services, version: string): Promise<Response> {
  const late = new Promise<false>((resolve) => setTimeout(resolve, patienceMs, false).unref());
  const asked = sql`select 1`.execute(db.read).then(
    () => true,
    () => false,
  );
  const answers = await Promise.race([asked, late]);
  return Response.json(
    { status: answers ? "ok" : "unavailable", database: answers ? "ok" : "unreachable", version },
    { status: answers ? 200 : 503, headers: { "Cache-Control": "no-store" } },
  );
}
