import type { Plugin } from "vite";

/**
 * Builds app/site.ts, the only script of public pages, as `/site.js` beside the
 * router's own client entries. The name is fixed, so that the server can find it
 * without reading a manifest; the server puts a version into the address.
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
