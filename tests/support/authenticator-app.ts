import { Secret } from "otpauth";
import { backupCodeRows, generateBackupCodes } from "~/features/auth/two-factor.server.ts";
import { codeAt, newSecret, sealSecret, stepOf } from "~/platform/auth/totp.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { decode } from "./responses.ts";

/** An app on someone's phone. */
export type TestApp = {
  /** What it shows at that moment, or some half minutes later. */
  code(at: Date, steps?: number): string;
};

const appWith = (secret: string): TestApp => ({
  code: (at, steps = 0) => codeAt(secret, stepOf(at) + steps),
});

/** The app that has taken in an `otpauth:` address. */
export function appFrom(address: string): TestApp {
  const typed = new URL(address).searchParams.get("secret") ?? "";
  return appWith(Secret.fromBase32(typed).utf8);
}

/** The app that has scanned the QR code, or followed the link, of a page. */
export function appOnPage(html: string): TestApp {
  return appFrom(decode(/href="(otpauth:[^"]+)"/.exec(html)?.[1] ?? ""));
}

/** The backup codes that a page shows. */
export const codesOnPage = (html: string): string[] =>
  [...html.matchAll(/<code>(\w{5}-\w{5})<\/code>/g)].map(([, code = ""]) => code);

/** Someone has had an app for a while, with backup codes. */
export async function giveApp(services: Services, { id: userId }: { id: string }) {
  const { db, clock, config } = services;
  const secret = newSecret();
  const id = newId();
  await db.write
    .insertInto("factors")
    .values({
      id,
      userId,
      factorType: "totp",
      friendlyName: "Old phone",
      status: "verified",
      secret: await sealSecret(config.authSecret, secret),
      createdAt: clock.now(),
    })
    .execute();
  const codes = generateBackupCodes();
  await db.write
    .insertInto("backupCodes")
    .values(backupCodeRows(services, userId, codes))
    .execute();
  return { id, codes, ...appWith(secret) };
}
