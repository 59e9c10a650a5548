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
 * pages, whose address gets a version from the server, the thread that renders Markdown, and the
 * process that makes pictures small, which the server starts by these names.
 */
export const chunks = (): Plugin[] => [
  chunk("client", "/app/site.ts", "site.js"),
  chunk("ssr", "/app/platform/markdown/thread.ts", "markdown-thread.js"),
  chunk("ssr", "/app/platform/pictures/maker.ts", "picture-maker.js"),
];
