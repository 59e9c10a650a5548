import { goodPassword } from "./accounts.ts";
import type { Asking, TestSite } from "./site.ts";

let visitors = 0;

/**
 * A browser of its own: it stores cookies, and has an address of its own
 * behind the site's proxy (start the site with TRUSTED_PROXIES=1), so that the tries of
 * one test are not counted against another.
 */
export function visitor(site: Pick<TestSite, "ask">) {
  visitors += 1;
  const address = `10.0.${visitors >> 8}.${visitors & 255}`;
  const cookies = new Map<string, string>();
  return {
    cookies,
    /** As {@link TestSite.ask}, with the cookies that came before. */
    async ask(path: string, asking: Asking = {}): Promise<Response> {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const headers = { "x-forwarded-for": address, ...(cookie && { cookie }), ...asking.headers };
      const response = await site.ask(path, { ...asking, headers });
      for (const line of response.headers.getSetCookie()) keep(cookies, line);
      return response;
    },
  };
}

export type Visitor = ReturnType<typeof visitor>;

/** Signs in with the password, on a browser of its own. */
export async function signedIn(
  site: Pick<TestSite, "ask">,
  { email, password = goodPassword }: { email: string; password?: string },
): Promise<Visitor> {
  const who = visitor(site);
  const response = await who.ask("/auth", { form: { email, password } });
  if (response.status !== 303) throw new Error(`not signed in: ${response.status}`);
  return who;
}

export const isSignedIn = async (who: Visitor) => (await who.ask("/my-courses")).status === 200;

function keep(cookies: Map<string, string>, line: string) {
  const [pair = ""] = line.split(";");
  const equals = pair.indexOf("=");
  if (/Max-Age=0(;|$)/i.test(line)) cookies.delete(pair.slice(0, equals));
  else cookies.set(pair.slice(0, equals), pair.slice(equals + 1));
}
