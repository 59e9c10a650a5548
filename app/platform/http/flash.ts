import { readCookie } from "../auth/session.ts";

/** A short notice shown once, on the next page. */
export type Toast = {
  title: string;
  description?: string | undefined;
  tone?: "default" | "success" | "destructive";
};

const name = "toast";
const attributes = "Path=/; HttpOnly; SameSite=Lax";

/** The cookie that carries a toast over a redirect. */
export function toastCookie(toast: Toast): string {
  return `${name}=${encodeURIComponent(JSON.stringify(toast))}; Max-Age=60; ${attributes}`;
}

/** Forgets the toast, because it is being shown. */
export const clearedToastCookie = `${name}=; Max-Age=0; ${attributes}`;

/** The toast that this request brings along; null when there is none or it is damaged. */
export function readToast(headers: Headers): Toast | null {
  const value = readCookie(headers, name);
  if (!value) return null;
  try {
    const { title, description, tone } = JSON.parse(value) as Record<string, unknown>;
    if (typeof title !== "string") return null;
    return {
      title,
      description: typeof description === "string" ? description : undefined,
      tone: tone === "success" || tone === "destructive" ? tone : "default",
    };
  } catch {
    return null;
  }
}

/** Sends the browser on (303, so that a form is not sent again), with a toast for the next page. */
export function redirectWithToast(to: string, toast: Toast, headers = new Headers()): Response {
  headers.set("Location", to);
  headers.append("Set-Cookie", toastCookie(toast));
  return new Response(null, { status: 303, headers });
}
