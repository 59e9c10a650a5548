import { mediaProblems } from "../messages.ts";
import { type Meaning, uploadResponse } from "../rules.ts";
import type { PanelState } from "../schema.ts";

export type SiteAnswer<T> =
  | { ok: true; value: T }
  | { ok: false; meaning: Meaning; message: string; body: unknown };

/** Requests JSON from the site. Never throws. A redirect to the sign-in page is not followed: it
 * would look like a success. */
export async function askSite<T>(path: string, init: RequestInit = {}): Promise<SiteAnswer<T>> {
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

function refusal(status: number, body: unknown): SiteAnswer<never> {
  const meaning = uploadResponse(status);
  return { ok: false, meaning, message: siteMessage(body) ?? fallback(meaning, status), body };
}

function fallback(meaning: Meaning, status: number): string {
  if (meaning === "signed-out") return mediaProblems.signedOut;
  return status === 0 ? mediaProblems.unreachable : mediaProblems.failed;
}

/** The site's message in the body of an error; null if there is none. */
export function siteMessage(body: unknown): string | null {
  const { error } = (body ?? {}) as { error?: { message?: unknown } };
  return typeof error?.message === "string" ? error.message : null;
}

/** Whether an error says that the thing was changed elsewhere meanwhile. */
export function isConflict(body: unknown): boolean {
  const { error } = (body ?? {}) as { error?: { code?: unknown } };
  return error?.code === "conflict";
}

export function postForm<T>(path: string, form: FormData | Record<string, string>) {
  const body = form instanceof FormData ? form : new URLSearchParams(form);
  return askSite<T>(path, { method: "POST", body });
}

export const askPanel = (lessonId: string) =>
  askSite<PanelState>(`/admin/lessons/${lessonId}/media`);
