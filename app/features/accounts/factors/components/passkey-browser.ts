import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import { messages } from "../texts.ts";

/** What the browser made, as JSON; nothing when its owner changed her mind. */
export type Answer = { json: string } | { problem: string } | "cancelled";

/** Whether this browser knows passkeys at all. */
export function takesPasskeys(): boolean {
  return typeof PublicKeyCredential === "function";
}

async function optionsFrom<T>(path: string): Promise<T | { refused: string | null }> {
  const response = await fetch(path);
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body as T;
  return { refused: (body as { code?: string } | null)?.code ?? null };
}

/** Pressing Escape, closing the device's window, waiting too long: all of them are no error. */
function problemOf(error: unknown, otherwise: string): Answer {
  const { name, code } = error as { name?: string; code?: string };
  if (name === "NotAllowedError" || name === "AbortError") return "cancelled";
  if (name === "InvalidStateError" || code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED")
    return { problem: messages.passkey.known };
  return { problem: error instanceof TypeError ? messages.passkey.offline : otherwise };
}

/** Asks the device for a passkey of this site. */
export async function askForPasskey(): Promise<Answer> {
  try {
    const { startAuthentication } = await import("@simplewebauthn/browser");
    const path = "/api/auth/passkey/generate-authenticate-options";
    const options = await optionsFrom<PublicKeyCredentialRequestOptionsJSON>(path);
    if ("refused" in options) return { problem: messages.passkey.failed };
    // The device is to ask who she is: the site takes nothing else.
    const optionsJSON = { ...options, userVerification: "required" } as const;
    return { json: JSON.stringify(await startAuthentication({ optionsJSON })) };
  } catch (error) {
    return problemOf(error, messages.passkey.failed);
  }
}

/** Lets the device make a passkey. `stale`: its owner has to show first who she is. */
export async function makePasskey(): Promise<Answer | "stale"> {
  try {
    const { startRegistration } = await import("@simplewebauthn/browser");
    const path = "/api/auth/passkey/generate-register-options";
    const options = await optionsFrom<PublicKeyCredentialCreationOptionsJSON>(path);
    if ("refused" in options)
      return options.refused === "SESSION_NOT_FRESH"
        ? "stale"
        : { problem: messages.passkey.notAdded };
    return { json: JSON.stringify(await startRegistration({ optionsJSON: options })) };
  } catch (error) {
    return problemOf(error, messages.passkey.notAdded);
  }
}
