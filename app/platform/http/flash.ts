import { createContext, type RouterContextProvider } from "react-router";
import { readCookie } from "../auth/cookies.ts";
import { isConnectionLost } from "../db/trouble.ts";
import { Refused, statusOf } from "../utils/errors.ts";
import type { Services } from "./services.ts";
import { isPrefetch } from "./speculation.ts";

export function redirectBack(request: Request, otherwise: string): Response {
  const referer = request.headers.get("referer");
  const url = referer && URL.canParse(referer) ? new URL(referer) : null;
  // '//host' may be the path of a missing page of ours, but a browser reads it as another site.
  const ours = url?.host === new URL(request.url).host && !url.pathname.startsWith("//");
  const location = url && ours ? url.pathname + url.search : otherwise;
  return new Response(null, { status: 303, headers: { Location: location } });
}

export type Toast = {
  title: string;
  description?: string | undefined;
  tone?: "default" | "success" | "destructive";
};

const toastContext = createContext<Toast | null>(null);

export const toastCookieName = "toast";
const attributes = "Path=/; HttpOnly; SameSite=Lax";

function toastCookie(toast: Toast): string {
  return `${toastCookieName}=${encodeURIComponent(JSON.stringify(toast))}; Max-Age=60; ${attributes}`;
}

const clearedToastCookie = `${toastCookieName}=; Max-Age=0; ${attributes}`;

type Context = Readonly<Pick<RouterContextProvider, "get" | "set">>;

/** Shows a toast with this answer, or by cookie with a script's next request. @returns headers */
export function flash(request: Request, context: Context, toast: Toast): HeadersInit {
  if (isFromScript(request)) return { "Set-Cookie": toastCookie(toast) };
  context.set(toastContext, toast);
  return {};
}

/** Whether React's router sent the request: the document stays and only takes in the data. */
export function isFromScript(request: Request): boolean {
  return new URL(request.url).pathname.endsWith(".data");
}

/** The toast for this answer. Not for a prefetch, which the visitor may never look at. */
export function takeToast(request: Request, context: Context) {
  const carried = isPrefetch(request.headers) ? null : readToast(request.headers);
  const headers: HeadersInit | undefined = carried
    ? { "Set-Cookie": clearedToastCookie }
    : undefined;
  return { toast: context.get(toastContext) ?? carried, headers };
}

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

/** Makes React's router load a new document, since a document keeps the policy it came with. */
export function asDocument(redirect: Response): Response {
  redirect.headers.set("X-Remix-Reload-Document", "true");
  return redirect;
}

/** A refusal's message, else `fallback`, logged (spec 8, Admin save errors).
 * @throws responses, and a lost connection to the database: no form's page may come without it */
export function reasonToShow(
  { log }: Pick<Services, "log">,
  error: unknown,
  fallback: string,
): string {
  if (error instanceof Refused) return error.message;
  const isData = (error as { type?: unknown } | null)?.type === "DataWithResponseInit";
  if (isData || error instanceof Response || isConnectionLost(error)) throw error;
  log.error({ err: error }, fallback);
  return fallback;
}

/** {@link reasonToShow} with its status and as a toast. @throws responses */
export function failure(services: Pick<Services, "log">, error: unknown, fallback: string) {
  const message = reasonToShow(services, error, fallback);
  const toast: Toast = { title: "Error", description: message, tone: "destructive" };
  return { status: error instanceof Refused ? statusOf[error.code] : 500, message, toast };
}
