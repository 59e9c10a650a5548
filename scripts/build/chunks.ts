import type { Plugin } from "vite";

const chunk = (environment: "client" | "ssr", id: string, fileName: string): Plugin => ({
  name: `blue-dot:${fileName}`,
  apply: "build",
  applyToEnvironment: ({ name }) => name === environment,
  buildStart() {
    this.emitFile({ type: "chunk", id, fileName });
  },
});

/**
 * Files of the build beside the router's own entries, under fixed names: the only script of public
 * pages, whose address gets a version from the server, and the thread that renders Markdown, which
 * app/platform/markdown/renderer.ts starts by this name.
 */
export const chunks = (): Plugin[] => [
  chunk("client", "/app/site.ts", "site.js"),
  chunk("ssr", "/app/platform/markdown/thread.ts", "markdown-thread.js"),
];
