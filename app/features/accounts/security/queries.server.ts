import type { Services } from "~/platform/services.ts";
import { shortDate } from "~/platform/time/words.ts";
import { listApps } from "../factors/queries.server.ts";
import { proofOf } from "../owner/queries.server.ts";
import { listPasskeys } from "../passkeys/queries.server.ts";
import { countCodes } from "../recovery/queries.server.ts";

type Dated = { id: string; name: string; createdAt: Date | null; lastUsedAt: Date | null };

/** All that somebody signs in with beside her password, with dates in words of her time zone. */
export async function getSecurity(
  services: Services,
  asked: { userId: string; sessionId: string; timeZone: string },
) {
  const { userId, timeZone } = asked;
  const [apps, passkeys, codesLeft, proof] = await Promise.all([
    listApps(services, userId),
    listPasskeys(services, userId),
    countCodes(services.db.write, userId),
    proofOf(services, asked),
  ]);
  const inWords = ({ id, name, createdAt, lastUsedAt }: Dated) => ({
    id,
    name,
    added: createdAt ? `Added on ${shortDate(createdAt, timeZone)}` : "Added",
    used: lastUsedAt ? `Last used on ${shortDate(lastUsedAt, timeZone)}` : "Not used yet",
  });
  return { apps: apps.map(inWords), passkeys: passkeys.map(inWords), codesLeft, proof };
}

/** One of them, by what its address says: `?app=…` or `?passkey=…`; null when it is not hers. */
export async function findWay(
  services: Services,
  { userId, query }: { userId: string; query: URLSearchParams },
): Promise<{ kind: "app" | "passkey"; id: string; name: string; isLast: boolean } | null> {
  const kind = query.has("app") ? "app" : "passkey";
  const ways = await (kind === "app" ? listApps : listPasskeys)(services, userId);
  const found = ways.find(({ id }) => id === query.get(kind));
  return found ? { kind, id: found.id, name: found.name, isLast: ways.length === 1 } : null;
}
