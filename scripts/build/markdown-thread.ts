import type { Plugin } from "vite";

/**
 * Builds the thread that renders Markdown as `markdown-thread.js` beside the server, whose code
 * starts it by this name (app/platform/markdown/renderer.ts).
 */
export function markdownThread(): Plugin {
  return {
    name: "blue-dot:markdown-thread",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "ssr",
    buildStart() {
      const id = "/app/platform/markdown/thread.ts";
      this.emitFile({ type: "chunk", id, fileName: "markdown-thread.js" });
    },
  };
}
