import { createContext, type RouterContextProvider } from "react-router";
import { readCookie } from "../auth/cookies.ts";
import { isPrefetch } from "./speculation.ts";

/** A short notice shown once, on the next page. */
export type Toast = {
  title: string;
  description?: string | undefined;
  tone?: "default" | "success" | "destructive";
};

/** A toast made while this very request is answered. */
const toastContext = createContext<Toast | null>(null);

export const toastCookieName = "toast";
const attributes = "Path=/; HttpOnly; SameSite=Lax";

/** The cookie that carries a toast over a redirect. */
function toastCookie(toast: Toast): string {
  return `${toastCookieName}=${encodeURIComponent(JSON.stringify(toast))}; Max-Age=60; ${attributes}`;
}

/** Forgets the toast, because it is being shown. */
const clearedToastCookie = `${toastCookieName}=; Max-Age=0; ${attributes}`;

type Context = Readonly<Pick<RouterContextProvider, "get" | "set">>;

/**
 * Shows a toast on the page that answers this form. Without scripts that page is this
 * very answer; with them the browser asks for it next, so a cookie carries the toast.
 * @returns headers for the action's answer
 */
export function flash(request: Request, context: Context, toast: Toast): HeadersInit {
  if (isFromScript(request)) return { "Set-Cookie": toastCookie(toast) };
  context.set(toastContext, toast);
  return {};
}

/** Whether React's router asked: the page stays, and only takes the answer in. */
export function isFromScript(request: Request): boolean {
  return new URL(request.url).pathname.endsWith(".data");
}

/**
 * The toast to be shown with this answer: made meanwhile, or brought by a cookie. Not with an
 * answer that was asked for in advance: perhaps nobody will look at it.
 */
export function takeToast(request: Request, context: Context) {
  const carried = isPrefetch(request.headers) ? null : readToast(request.headers);
  const headers: HeadersInit | undefined = carried
    ? { "Set-Cookie": clearedToastCookie }
    : undefined;
  return { toast: context.get(toastContext) ?? carried, headers };
}

/** The toast of a cookie; null when there is none or it is damaged. */
function readToast(headers: Headers): Toast | null {
  const value = readCookie(headers, toastCookieName);
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

/**
 * Sends the browser on (303, so that a form is not sent again), with a toast for the
 * next page, where there is something to say, and cookies to set on the way.
 */
export function redirectWithToast(
  to: string,
  toast: Toast | null,
  cookies: string[] = [],
): Response {
  const headers = new Headers({ Location: to });
  const said = toast ? [toastCookie(toast)] : [];
  for (const cookie of [...cookies, ...said]) headers.append("Set-Cookie", cookie);
  return new Response(null, { status: 303, headers });
}

/**
 * The same redirect as a load of the whole page, also where React's router would only swap what is
 * shown: the page there may have a policy of its own, and a document keeps the one it came with.
 */
export function asDocument(redirect: Response): Response {
  redirect.headers.set("X-Remix-Reload-Document", "true");
  return redirect;
}
