import { registerHooks } from "node:module";

const reader = new URL("./content.ts", import.meta.url).href;

/* For programs that run the sources without Vite, as the browser tests do: the files of content/pages
 * as modules, like those that the plugin of content.ts makes. */
registerHooks({
  load(url, context, next) {
    const [, name] = /\/content\/pages\/([^/]+)\.(?:md|yaml)$/.exec(url) ?? [];
    if (!name) return next(url, context);
    const source = `import { readFile } from "node:fs/promises";
import { readPage } from ${JSON.stringify(reader)};
const text = await readFile(new URL(${JSON.stringify(url)}), "utf8");
export const { source, shown } = await readPage(${JSON.stringify(name)}, text);`;
    return { format: "module", source, shortCircuit: true };
  },
});
