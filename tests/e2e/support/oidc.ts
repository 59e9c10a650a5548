import { type OidcServer, oidcSettings, startOidc } from "../../support/oidc/server.ts";
import { freePort } from "../../support/port.ts";
import { test as base } from "./test.ts";

/** A site that knows Google, and a provider that runs beside it and asks anyone who comes. */
export const test = base.extend<{ oidcPort: number; oidc: OidcServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: the first argument names what it needs
  oidcPort: async ({}, use) => use(await freePort()),
  settings: async ({ oidcPort }, use) =>
    use({ ...oidcSettings(oidcPort), GOOGLE_CLIENT_ID: "none", GOOGLE_CLIENT_SECRET: "none" }),
  oidc: async ({ oidcPort, site }, use) => {
    const oidc = await startOidc({ port: oidcPort, siteUrl: site.url });
    oidc.asks = true;
    await use(oidc);
    await oidc.close();
  },
});
