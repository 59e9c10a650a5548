import { confirmationToken } from "~/platform/auth/confirm.ts";
import type { AuthHooks } from "~/platform/auth/hooks.ts";
import type { Identity } from "~/platform/auth/providers/identity.ts";
import { newId } from "~/platform/db/ids.ts";
import { withinLimit } from "~/platform/http/rate-limit.ts";
import type { Services } from "~/platform/services.ts";
import { tellOwner } from "../notices/commands.server.ts";
import { authPath, safeDestination } from "../rules.ts";
import { type Found, settle, TryAgain } from "../settling/commands.server.ts";

type Needs = Pick<Services, "db" | "clock" | "config" | "wakeWorker" | "log">;
type Letters = Pick<AuthHooks, "verifyEmail" | "alreadyRegistered">;

const day = 24 * 3600;

/** Letters that one account gets in an hour because somebody came from a provider. */
const letterLimit = { what: "arrival-letter", max: 3, windowSeconds: 3600 };

/**
 * Somebody came back from a provider (docs/decisions/033): whose account that is, be it a new one.
 * Where the provider has not confirmed the address, it gets a letter first, and whoever asks reads
 * the same, whether there is an account or not.
 */
export async function arrive(
  services: Needs,
  letters: Letters,
  identity: Identity,
  { redirectTo }: { redirectTo: string },
): ReturnType<AuthHooks["arrive"]> {
  const found = await settleOnce(services, identity);
  if (found.kind === "refused") {
    if (found.owner) await tellOfRefusal(services, found.owner, identity.provider.name);
    return { code: found.code };
  }
  if (found.kind === "in") {
    if (found.isNews) services.wakeWorker();
    const path = redirectTo.slice(services.config.appUrl.length);
    const to = `${authPath(safeDestination(path))}&arrived=${found.isNew ? "new" : "known"}`;
    return { userId: found.userId, to: services.config.appUrl + to };
  }
  const { profile } = found;
  if (await withinLimit(services, { ...letterLimit, whose: profile.id })) {
    if (found.kind === "registered") await letters.alreadyRegistered(profile);
    else {
      const token = await confirmationToken(services.config, profile.email);
      await letters.verifyEmail(profile, { token, redirectTo });
    }
  }
  // Whoever asks with an address that has an account gets the same cookie, with the id of nobody.
  const id = found.kind === "unconfirmed" ? profile.id : newId();
  return { code: "unconfirmed", made: { id, email: profile.email } };
}

/** Two who come at the same moment get in each other's way once: the second finds what the first made. */
async function settleOnce(services: Needs, identity: Identity, tries = 3): Promise<Found> {
  try {
    return await services.db.transaction((trx) => settle(trx, identity, services.clock.now()));
  } catch (error) {
    if (!(error instanceof TryAgain) || tries <= 1) throw error;
    return settleOnce(services, identity, tries - 1);
  }
}

/** Writes to the owner that somebody came from a provider with their address. Once a day at most. */
async function tellOfRefusal(services: Needs, userId: string, name: string): Promise<void> {
  const limit = {
    what: "provider-refused-email",
    whose: userId,
    max: 1,
    windowSeconds: day,
    isQuiet: true,
  };
  if (!(await withinLimit(services, limit))) return;
  await tellOwner(services, services.db.write, { userId, change: "provider-refused", name });
  services.wakeWorker();
}
