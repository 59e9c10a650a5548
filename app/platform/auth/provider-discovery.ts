import {
  type AuthorizationServer,
  allowInsecureRequests,
  customFetch,
  discoveryRequest,
  processDiscoveryResponse,
} from "oauth4webapi";
import type { ProviderConfig } from "../config/providers.ts";

/** How long another machine may take for one answer, in milliseconds. */
const patienceMs = 5_000;

/** The provider cannot be reached, is too slow, or says that it is not well. */
export class ProviderAway extends Error {}

/** How the library asks this provider. Plain HTTP is for one on this machine, as its setting has it. */
export const askingOf = ({ issuer }: ProviderConfig) => ({
  [customFetch]: askProvider,
  [allowInsecureRequests]: issuer.startsWith("http:"),
});

/** Within the time comes the whole answer, not only its beginning. @throws {ProviderAway} */
async function askProvider(url: string, init: RequestInit): Promise<Response> {
  const { host } = new URL(url);
  const signal = AbortSignal.timeout(patienceMs);
  const { response, body } = await fetch(url, { ...init, signal })
    .then(async (response) => ({ response, body: await response.arrayBuffer() }))
    .catch((cause) => {
      throw new ProviderAway(`${host} did not answer`, { cause });
    });
  if (response.status >= 500 || response.status === 429)
    throw new ProviderAway(`${host} answered ${response.status}`);
  return new Response(body.byteLength > 0 ? body : null, response);
}

/** How long a description is believed before the provider is asked again, in milliseconds. */
const freshMs = 3600_000;
/** How soon it may be read again before its time, in milliseconds. */
const pauseMs = 60_000;

/** Reads a provider's description when it is first needed, and again every hour: one that is away
 * when the site starts is there as soon as it is back, and while it is away what it said last
 * holds. */
export function discovery(config: ProviderConfig) {
  let known: { server: AuthorizationServer; readAt: number } | null = null;
  let reading: Promise<AuthorizationServer> | null = null;
  let renewedAt = 0;

  async function read(): Promise<AuthorizationServer> {
    try {
      const server = await askAbout(config);
      known = { server, readAt: Date.now() };
      return server;
    } catch (error) {
      if (known) return known.server;
      throw error;
    } finally {
      reading = null;
    }
  }

  return {
    async discover(): Promise<AuthorizationServer> {
      if (known && Date.now() - known.readAt < freshMs) return known.server;
      reading ??= read();
      return reading;
    },
    /** A description that was read after this one, and so without keys that the library remembers
     * for it; null when there is none, because the last reading before its time was within a minute. */
    async renew(stale: AuthorizationServer): Promise<AuthorizationServer | null> {
      if (known?.server === stale && !reading) {
        if (Date.now() - renewedAt < pauseMs) return null;
        renewedAt = Date.now();
        reading = read();
      }
      const server = (await reading) ?? known?.server;
      return server && server !== stale ? server : null;
    },
  };
}

async function askAbout(config: ProviderConfig): Promise<AuthorizationServer> {
  const response = await discoveryRequest(new URL(config.issuer), askingOf(config));
  // The setting may have a slash at its end or not; the library takes only what the provider says.
  const body = await response
    .clone()
    .json()
    .catch(() => null);
  const said = String(body?.issuer);
  const isSame = said.replace(/\/$/, "") === config.issuer.replace(/\/$/, "");
  return processDiscoveryResponse(new URL(isSame ? said : config.issuer), response);
}
