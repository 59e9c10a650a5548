import { type Meaning, meaningOf } from "../../panel/rules.ts";
import type { PanelState } from "../../panel/schema.ts";
import { troubles } from "../../panel/texts.ts";

/** What the site answered; `message` is fit to be shown. */
export type Asked<T> =
  | { ok: true; value: T }
  | { ok: false; meaning: Meaning; message: string; body: unknown };

/**
 * Asks the site for JSON. Never throws: every outcome is an answer. Being sent to the sign-in page
 * is not followed: it would look like a success.
 */
export async function askSite<T>(path: string, init: RequestInit = {}): Promise<Asked<T>> {
  try {
    const headers = new Headers(init.headers);
    headers.set("accept", "application/json");
    const response = await fetch(path, { ...init, headers, redirect: "manual" });
    const body: unknown = await response.json().catch(() => null);
    if (response.ok) return { ok: true, value: body as T };
    const status = response.type === "opaqueredirect" ? 302 : response.status;
    return refusal(status, body);
  } catch {
    return refusal(0, null);
  }
}

function refusal(status: number, body: unknown): Asked<never> {
  const meaning = meaningOf(status);
  return { ok: false, meaning, message: wordsOf(body) ?? fallback(meaning, status), body };
}

function fallback(meaning: Meaning, status: number): string {
  if (meaning === "signed-out") return troubles.signedOut;
  return status === 0 ? troubles.unreachable : troubles.failed;
}

/** The site's own words in the body of a refusal; null where there are none. */
export function wordsOf(body: unknown): string | null {
  const { error } = (body ?? {}) as { error?: { message?: unknown } };
  return typeof error?.message === "string" ? error.message : null;
}

/** Whether a refusal says that somebody else has changed the thing meanwhile. */
export function isConflict(body: unknown): boolean {
  const { error } = (body ?? {}) as { error?: { code?: unknown } };
  return error?.code === "conflict";
}

/** A form as `POST` of the site's own forms, with scripts. */
export function postForm<T>(path: string, form: FormData | Record<string, string>) {
  const body = form instanceof FormData ? form : new URLSearchParams(form);
  return askSite<T>(path, { method: "POST", body });
}

/** What the site has of a lesson's media by now. */
export const askPanel = (lessonId: string) =>
  askSite<PanelState>(`/admin/lessons/${lessonId}/media`);
