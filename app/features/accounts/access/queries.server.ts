import { findSession } from "~/platform/auth/session-row.ts";
import type { Services } from "~/platform/services.ts";
import { secondStepPath } from "../factors/texts.ts";
import { authPath } from "../rules.ts";

/**
 * Where somebody goes whom any way in has just given these cookies: where she wanted to, or first
 * to the second step. `isIn`: nothing is owed, she may be welcomed.
 */
export async function destinationAfterSignIn(
  services: Services,
  setCookies: string[],
  destination: string,
): Promise<{ to: string; isIn: boolean }> {
  const cookie = setCookies.map((line) => line.split(";")[0]).join("; ");
  const session = await findSession(services, new Headers({ cookie }));
  const isIn = session ? !session.isPending : true;
  return { to: isIn ? destination : authPath(destination, secondStepPath), isIn };
}
