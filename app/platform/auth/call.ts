import type { Services } from "../services.ts";
import { clientAddressHeader } from "./constants.ts";
import { withPlainCookies } from "./cookies.ts";

/** Who is asking, as far as the authentication library needs to know. */
export type Caller = { address: string; cookie: string | null; userAgent: string | null };

export function callerOf(request: Request, address: string): Caller {
  const { headers } = request;
  return { address, cookie: headers.get("cookie"), userAgent: headers.get("user-agent") };
}

/** What the library hears of a caller. */
export function callerHeaders({ config }: Pick<Services, "config">, caller: Caller): Headers {
  const headers = new Headers({ [clientAddressHeader]: caller.address, origin: config.appUrl });
  if (caller.cookie) headers.set("cookie", caller.cookie);
  if (caller.userAgent) headers.set("user-agent", caller.userAgent);
  return withPlainCookies(headers);
}

/** The library's answer: cookies to set, and what went wrong, in its own words. */
export type AuthAnswer = {
  ok: boolean;
  status: number;
  code: string | null;
  message: string | null;
  setCookies: string[];
};

/**
 * Asks the library as a browser would, through its own door: rate limits, hooks and
 * checks hold for our forms exactly as they do for its addresses.
 */
export async function callAuth(
  { auth, config }: Services,
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
