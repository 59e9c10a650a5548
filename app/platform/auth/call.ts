import type { AuthServices } from "./auth.ts";
import { clientAddressHeader } from "./constants.ts";
import { withPlainCookies } from "./cookies.ts";

export type Caller = { address: string; cookie: string | null; userAgent: string | null };

export function callerHeaders({ config }: Pick<AuthServices, "config">, caller: Caller): Headers {
  const headers = new Headers({ [clientAddressHeader]: caller.address, origin: config.appUrl });
  if (caller.cookie) headers.set("cookie", caller.cookie);
  if (caller.userAgent) headers.set("user-agent", caller.userAgent);
  return withPlainCookies(headers);
}

export type AuthAnswer = {
  ok: boolean;
  status: number;
  code: string | null;
  message: string | null;
  setCookies: string[];
};

/** Calls the library over its HTTP handler, so rate limits, hooks and checks apply to our forms. */
export async function callAuth(
  { auth, config }: Pick<AuthServices, "auth" | "config">,
  caller: Caller,
  path: string,
  body: Record<string, unknown> | null,
): Promise<AuthAnswer> {
  const headers = callerHeaders({ config }, caller);
  if (body) headers.set("content-type", "application/json");
  const response = await auth.handler(
    new Request(`${config.appUrl}/api/auth${path}`, {
      method: body ? "POST" : "GET",
      headers,
      body: body && JSON.stringify(body),
    }),
  );
  const answer = (await response.json().catch(() => null)) as {
    code?: string;
    message?: string;
  } | null;
  return {
    ok: response.ok,
    status: response.status,
    code: answer?.code ?? null,
    message: answer?.message ?? null,
    setCookies: response.headers.getSetCookie(),
  };
}
