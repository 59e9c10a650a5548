import type { Caller } from "~/platform/auth/call.ts";
import { strangersAccount } from "~/platform/auth/maker.ts";
import type { Services } from "~/platform/services.ts";
import { findPassword } from "../owner/queries.server.ts";

/** What the page of a letter asks for beside the press; `new-password`: there is none to be asked for. */
export type Asked = "nothing" | "password" | "new-password";

/** The account that this letter would confirm, and the hash of its password; null where a press is enough. */
export async function findUnproven(services: Services, { cookie }: Caller, token: string) {
  const headers = new Headers(cookie ? { cookie } : {});
  const userId = await strangersAccount(services, token, headers);
  return userId ? { userId, hash: await findPassword(services, userId) } : null;
}

/** What whoever opens the letter with this token has to show. */
export async function whatToAsk(services: Services, caller: Caller, token: string): Promise<Asked> {
  const account = await findUnproven(services, caller, token);
  if (!account) return "nothing";
  return account.hash ? "password" : "new-password";
}
