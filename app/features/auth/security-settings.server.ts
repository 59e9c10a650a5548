import type { Services } from "~/platform/http/services.ts";
import { namedUtc, shortDate } from "~/platform/time/words.ts";
import { listPasskeys } from "./passkeys.server.ts";
import { getReauthenticationMethods } from "./reauthentication.server.ts";
import { sendSecurityAlert } from "./security-alerts.server.ts";
import { countBackupCodes, listAuthenticatorApps, lockTwoFactor } from "./two-factor.server.ts";

type Dated = { id: string; name: string; createdAt: Date | null; lastUsedAt: Date | null };

export async function getSecuritySettings(
  services: Services,
  asked: { userId: string; sessionId: string; timeZone: string },
) {
  const { userId, timeZone } = asked;
  const [apps, passkeys, codesLeft, proof] = await Promise.all([
    listAuthenticatorApps(services, userId),
    listPasskeys(services, userId),
    countBackupCodes(services.db.write, userId),
    getReauthenticationMethods(services, asked),
  ]);
  const day = (date: Date) => namedUtc(shortDate(date, timeZone), timeZone);
  const inWords = ({ id, name, createdAt, lastUsedAt }: Dated) => ({
    id,
    name,
    added: createdAt ? `Added on ${day(createdAt)}` : "Added",
    used: lastUsedAt ? `Last used on ${day(lastUsedAt)}` : "Not used yet",
  });
  return { apps: apps.map(inWords), passkeys: passkeys.map(inWords), codesLeft, proof };
}

/** The user's app or passkey named by `?app=...` or `?passkey=...`, or null. */
export async function findSecurityMethod(
  services: Services,
  { userId, query }: { userId: string; query: URLSearchParams },
): Promise<{ kind: "app" | "passkey"; id: string; name: string; isLast: boolean } | null> {
  const kind = query.has("app") ? "app" : "passkey";
  const ways = await (kind === "app" ? listAuthenticatorApps : listPasskeys)(services, userId);
  const found = ways.find(({ id }) => id === query.get(kind));
  return found ? { kind, id: found.id, name: found.name, isLast: ways.length === 1 } : null;
}

/** Account recovery after a lost device and lost backup codes: removes apps, codes and passkeys,
 * which may be on the same device, ends all sessions and notifies the user. The password stays. */
export async function resetTwoFactor(services: Services, userId: string): Promise<void> {
  await services.db.transaction(async (trx) => {
    await lockTwoFactor(services, trx, userId);
    for (const table of ["factors", "backupCodes", "passkeys", "sessions"] as const)
      await trx.deleteFrom(table).where("userId", "=", userId).execute();
    await sendSecurityAlert(services, trx, { userId, change: "reset" });
  });
  services.wakeWorker();
}
