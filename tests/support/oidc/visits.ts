import { decode, toastOf } from "../responses.ts";
import type { TestSite } from "../site.ts";
import type { Visitor } from "../visitor.ts";
import type { OidcServer } from "./server.ts";

type Leaving = { query?: string; isLink?: boolean };

/** Presses the provider's button: the address there, and what was said when there is none. */
export async function leave(who: Visitor, oidc: OidcServer, { query = "", isLink }: Leaving = {}) {
  const form: Record<string, string> = isLink ? { intent: "link" } : {};
  const response = await who.ask(`/auth/providers/${oidc.id}${query}`, { form });
  const [, url] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(await response.text()) ?? [];
  return {
    url: url === undefined ? null : decode(url),
    status: response.status,
    toast: toastOf(response),
    location: response.headers.get("location"),
  };
}

/** Goes through the provider as a browser of its own would; @returns path and query of the way back. */
export async function visit(site: TestSite, address: string | null): Promise<string> {
  const cookies = new Map<string, string>();
  let at = address ?? "";
  for (let steps = 0; steps < 10; steps += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(at, { redirect: "manual", headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    at = new URL(response.headers.get("location") ?? "", at).href;
    const { appUrl } = site.services.config;
    if (at.startsWith(`${appUrl}/`)) return at.slice(appUrl.length);
  }
  throw new Error(`the provider never sent anybody back, at last to ${at}`);
}

/** Comes back to this address, and goes on until a page stands there; @returns where, and what was said. */
export async function comeBack(site: TestSite, who: Visitor, address: string) {
  let at = address;
  let toast: ReturnType<typeof toastOf> = null;
  for (let steps = 0; steps < 5; steps += 1) {
    const response = await who.ask(at);
    toast = toastOf(response) ?? toast;
    const to = response.headers.get("location");
    if (!to) return { at, toast, status: response.status, page: await response.text() };
    at = to.replace(site.services.config.appUrl, "");
  }
  throw new Error(`no page at the end, only ${at}`);
}

/** The whole way: out, through the provider, and back. */
export async function signInWith(site: TestSite, who: Visitor, oidc: OidcServer, how?: Leaving) {
  const left = await leave(who, oidc, how);
  return comeBack(site, who, await visit(site, left.url));
}
