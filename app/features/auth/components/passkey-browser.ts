import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import { twoFactorMessages } from "../messages.ts";

/** The browser's response as JSON, an error message, or `cancelled` by the user. */
export type PasskeyResponse = { json: string } | { problem: string } | "cancelled";

/** Hides what this script stands in before it is painted, where the browser has no passkeys. */
export const withoutPasskeys =
  'self.PublicKeyCredential||(document.currentScript.parentNode.style.display="none")';

export function takesPasskeys(): boolean {
  return typeof PublicKeyCredential === "function";
}

async function optionsFrom<T>(path: string): Promise<T | { refused: string | null }> {
  const response = await fetch(path);
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body as T;
  return { refused: (body as { code?: string } | null)?.code ?? null };
}

// Escape, closing the device's dialog and a timeout are cancellations, not errors.
function problemOf(error: unknown, otherwise: string): PasskeyResponse {
  const { name, code } = error as { name?: string; code?: string };
  if (name === "NotAllowedError" || name === "AbortError") return "cancelled";
  if (name === "InvalidStateError" || code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED")
    return { problem: twoFactorMessages.passkey.known };
  return { problem: error instanceof TypeError ? twoFactorMessages.passkey.offline : otherwise };
}

export async function askForPasskey(): Promise<PasskeyResponse> {
  try {
    const { startAuthentication } = await import("@simplewebauthn/browser");
    const path = "/api/auth/passkey/generate-authenticate-options";
    const options = await optionsFrom<PublicKeyCredentialRequestOptionsJSON>(path);
    if ("refused" in options) return { problem: twoFactorMessages.passkey.failed };
    return { json: JSON.stringify(await startAuthentication({ optionsJSON: options })) };
  } catch (error) {
    return problemOf(error, twoFactorMessages.passkey.failed);
  }
}

/** Creates a passkey on the device. `stale`: reauthentication is required first. */
export async function makePasskey(): Promise<PasskeyResponse | "stale"> {
  try {
    const { startRegistration } = await import("@simplewebauthn/browser");
    const path = "/api/auth/passkey/generate-register-options";
    const options = await optionsFrom<PublicKeyCredentialCreationOptionsJSON>(path);
    if ("refused" in options)
      return options.refused === "SESSION_NOT_FRESH"
        ? "stale"
        : { problem: twoFactorMessages.passkey.notAdded };
    return { json: JSON.stringify(await startRegistration({ optionsJSON: options })) };
  } catch (error) {
    return problemOf(error, twoFactorMessages.passkey.notAdded);
  }
}
