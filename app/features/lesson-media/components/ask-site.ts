import { useState } from "react";
import type { PanelState } from "../media-panel.server.ts";
import { mediaProblems } from "../messages.ts";
import { uploadRetryDelays } from "../rules.ts";

type SiteAnswer<T> =
  | { ok: true; value: T }
  /** `isConflict`: the thing was changed elsewhere meanwhile. */
  | { ok: false; message: string; isConflict: boolean };

/** Requests JSON from the site. Never throws. A redirect to the sign-in page is not followed: it
 * would look like a success. */
async function askSite<T>(path: string, init: RequestInit = {}): Promise<SiteAnswer<T>> {
  const failed = (message: string) => ({ ok: false, message, isConflict: false }) as const;
  try {
    const headers = { accept: "application/json" };
    const response = await fetch(path, { ...init, headers, redirect: "manual" });
    if (response.type === "opaqueredirect" || response.status === 401)
      return failed(mediaProblems.signedOut);
    const body: unknown = await response.json().catch(() => null);
    if (response.ok) return { ok: true, value: body as T };
    const message = siteMessage(body) ?? mediaProblems.failed;
    return { ok: false, message, isConflict: response.status === 409 };
  } catch {
    return failed(mediaProblems.unreachable);
  }
}

/** The site's message in the body of an error; null if there is none. */
export function siteMessage(body: unknown): string | null {
  const { error } = (body ?? {}) as { error?: { message?: unknown } };
  return typeof error?.message === "string" ? error.message : null;
}

/** Posts a form, one at a time, and has the site's message if it was refused. */
export function usePost<T>(path: string) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  async function post(form: FormData | Record<string, string>): Promise<SiteAnswer<T> | null> {
    if (busy) return null;
    setBusy(true);
    const body = form instanceof FormData ? form : new URLSearchParams(form);
    const answer = await askSite<T>(path, { method: "POST", body });
    setBusy(false);
    setError(answer.ok ? null : answer.message);
    return answer;
  }
  return { busy, error, setError, post };
}

export const askPanel = (lessonId: string) =>
  askSite<PanelState>(`/admin/lessons/${lessonId}/media`);

/** Deletes an upload that this tab is not sending, unless it is gone. Retries while the site is busy
 * with the upload's last piece, or does not answer. */
export async function discardUpload(uploadId: string): Promise<void> {
  const { Upload } = await import("tus-js-client");
  const retryDelays = uploadRetryDelays.slice(0, 6);
  await Upload.terminate(`/uploads/${uploadId}`, { retryDelays }).catch(() => {});
}
