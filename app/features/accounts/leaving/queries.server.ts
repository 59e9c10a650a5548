import { redirectDocument } from "react-router";
import { sessionContext } from "~/platform/http/context.ts";
import { isFromScript } from "~/platform/http/flash.ts";
import type { Services } from "~/platform/services.ts";
import { readLinkToken, signToken } from "~/platform/signed-token.ts";
import { dayInWords, knownZone } from "~/platform/time/words.ts";
import { site } from "~content/site.ts";
import { findOwner } from "../settings/queries.server.ts";
import { keepPath, leavingPath, openWhileLeaving } from "./texts.ts";

type Context = { get<T>(context: { defaultValue?: T }): T };

/**
 * In front of every page: somebody whose account is about to be deleted decides first. Forms go on
 * to their actions, which know her as nobody, so that what she typed comes back.
 * @throws a redirect to the choice
 */
export function decideFirst(context: Context, request: Request): void {
  if (!context.get(sessionContext).leaving || request.method !== "GET") return;
  const { pathname } = new URL(request.url);
  if (isFromScript(request) || openWhileLeaving.includes(pathname)) return;
  throw redirectDocument(leavingPath);
}

/** A purpose of its own, so that no other link of the site opens this door. */
const keeping = "keep account";

/** What the letter's link keeps: this account, from this deletion. */
export type Keeping = { userId: string; dueAt: Date };

/** The page on which the account is kept with one press. Works until it is deleted, or kept. */
export function keepUrl({ config }: Pick<Services, "config">, { userId, dueAt }: Keeping): string {
  const token = signToken(config.authSecret, keeping, `${userId}.${dueAt.getTime()}`);
  return `${config.appUrl}${keepPath}?token=${token}`;
}

/** What a token keeps, if it is ours; else null. */
export function readKeepToken(services: Services, token: string): Keeping | null {
  const [userId, due] = readLinkToken(services, keeping, token)?.split(".") ?? [];
  return userId && due ? { userId, dueAt: new Date(Number(due)) } : null;
}

/** The day on which the account of a letter's link is deleted; null when there is nothing to keep. */
export async function findKeeping(services: Services, token: string): Promise<string | null> {
  const asked = readKeepToken(services, token);
  const owner = asked && (await findOwner(services, asked.userId));
  if (!owner?.deletionDueAt || owner.deletionDueAt.getTime() !== asked?.dueAt.getTime())
    return null;
  return dayOf(services, owner.deletionDueAt, owner.timeZone);
}

/** A day in her own zone, in words. */
export function dayOf({ clock }: Pick<Services, "clock">, date: Date, timeZone: string | null) {
  return dayInWords(date, clock.now(), knownZone(timeZone, site.timeZone));
}
