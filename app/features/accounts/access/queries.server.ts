import { findSession } from "~/platform/auth/session-row.ts";
import type { Services } from "~/platform/services.ts";
import { protectFirst } from "../asking/queries.server.ts";
import { secondStepPath } from "../factors/texts.ts";
import { authPath } from "../rules.ts";

/**
 * Where somebody goes whom any way in has just given these cookies: where they wanted to, or first
 * to the second step, or to where they are asked to have one. `isIn`: nothing is owed, they may be
 * welcomed.
 */
export async function destinationAfterSignIn(
  services: Services,
  setCookies: string[],
  destination: string,
): Promise<{ to: string; isIn: boolean }> {
  const cookie = setCookies.map((line) => line.split(";")[0]).join("; ");
  const session = await findSession(services, new Headers({ cookie }));
  if (!session) return { to: destination, isIn: true };
  if (session.isPending) return { to: authPath(destination, secondStepPath), isIn: false };
  return { to: await protectFirst(services, session.id, destination), isIn: true };
}
