import type { Plugin } from "vite";

/**
 * Builds app/site.ts, the only script of public pages, as `/site.js` beside the
 * router's own client entries. The name is fixed, so that the server can link it
 * without reading a manifest; the server adds a version to the address.
 */
export function siteScript(): Plugin {
  return {
    name: "blue-dot:site-script",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "client",
    buildStart() {
      this.emitFile({ type: "chunk", id: "/app/site.ts", fileName: "site.js" });
    },
  };
}
