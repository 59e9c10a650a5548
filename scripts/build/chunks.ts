import { copyFileSync, mkdirSync } from "node:fs";
import path from "node:path";
import type { Plugin } from "vite";
import { builtCardFiles, shaperFile } from "../../app/platform/share-cards/files.ts";

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
 * processes that make pictures small and draw share pictures, which the server starts by these names.
 */
export const chunks = (): Plugin[] => [
  chunk("client", "/app/site.ts", "site.js"),
  chunk("ssr", "/app/platform/markdown/thread.ts", "markdown-thread.js"),
  chunk("ssr", "/app/platform/pictures/maker.ts", "picture-maker.js"),
  chunk("ssr", "/app/platform/share-cards/maker.ts", "share-card-maker.js"),
  cardFiles(),
];

/** Fonts and drawings of share pictures, and the shaper, which its code loads from beside itself. */
function cardFiles(): Plugin {
  return {
    name: "blue-dot:share-cards",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "ssr",
    writeBundle({ dir = "" }) {
      const folder = path.join(dir, "share-cards");
      mkdirSync(folder, { recursive: true });
      for (const file of new Set(builtCardFiles))
        copyFileSync(file, path.join(folder, path.basename(file)));
      copyFileSync(shaperFile, path.join(dir, path.basename(shaperFile)));
    },
  };
}
