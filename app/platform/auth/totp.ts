import { randomInt } from "node:crypto";
import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import { HOTP, Secret, TOTP } from "otpauth";
import { keyedHash } from "../crypto/signed-token.ts";

// RFC 6238
const stepSeconds = 30;

/** 20 printable characters: 160 bits for the app, 131 of them random (RFC 4226 asks for 128). */
export function newSecret(): string {
  return String.fromCharCode(...Array.from({ length: 20 }, () => randomInt(33, 127)));
}

export function stepOf(at: Date): number {
  return Math.floor(at.getTime() / 1000 / stepSeconds);
}

/** The code of a step, in digits (RFC 6238, SHA-1). */
export function codeAt(secret: string, step: number, digits = 6): string {
  return HOTP.generate({ secret: Secret.fromUTF8(secret), counter: step, digits });
}

/** The otpauth URI for the QR code: secret, issuer and account. */
export function setupAddress(secret: string, issuer: string, account: string): string {
  return new TOTP({ secret: Secret.fromUTF8(secret), issuer, label: account }).toString();
}

/** The step that a code matches, one step of clock drift allowed either way; null if none. */
export function matchingStep(secret: string, code: string, at: Date): number | null {
  const shared = { secret: Secret.fromUTF8(secret), timestamp: at.getTime() };
  const drift = TOTP.validate({ ...shared, token: code, window: 1 });
  return drift === null ? null : stepOf(at) + drift;
}

const keyOf = (authSecret: string) =>
  keyedHash(authSecret, "authenticator apps", "").toString("hex");

export function sealSecret(authSecret: string, secret: string): Promise<string> {
  return symmetricEncrypt({ key: keyOf(authSecret), data: secret });
}

/** Decrypts a secret; null if AUTH_SECRET has changed. */
export function openSecret(authSecret: string, sealed: string): Promise<string | null> {
  return symmetricDecrypt({ key: keyOf(authSecret), data: sealed }).catch(() => null);
}
