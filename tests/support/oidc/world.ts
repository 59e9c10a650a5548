import { afterAll, beforeAll } from "vitest";
import { freePort } from "../port.ts";
import { startSite } from "../site.ts";
import { oidcSettings, startOidc } from "./server.ts";

/** A site that was started while its provider was away, and the provider, which has come since. */
export async function startWithProvider(inTokens = true) {
  const port = await freePort();
  const site = await startSite({ TRUSTED_PROXIES: "1", ...oidcSettings(port) });
  const siteUrl = site.services.config.appUrl;
  const oidc = await startOidc({ port, siteUrl, inTokens });
  return {
    site,
    oidc,
    port,
    async close() {
      await oidc.close();
      await site.close();
    },
  };
}

/** One for the tests of a file; its site is there to be named before it is open. */
export function providerOfFile() {
  const world = { site: {} } as Awaited<ReturnType<typeof startWithProvider>>;
  beforeAll(async () => {
    const { site, ...rest } = await startWithProvider();
    Object.assign(world, rest);
    Object.assign(world.site, site);
  });
  afterAll(() => world.close());
  return world;
}
