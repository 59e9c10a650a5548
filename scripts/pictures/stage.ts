import path from "node:path";
import tailwindcss from "@tailwindcss/vite";
import { createServer } from "vite";
import { openChromium } from "../chromium.ts";

type Shot = { html: string; width: number; height: number; clear?: boolean };

const root = path.join(import.meta.dirname, "..", "..");

/**
 * A browser, and a server that gives it our fonts, tokens and drawings. `load` runs a module of
 * the project with JSX in it; `shoot` takes a picture, as PNG.
 */
export async function openStage() {
  let html = "";
  const vite = await createServer({
    root,
    configFile: false,
    appType: "custom",
    logLevel: "warn",
    plugins: [tailwindcss()],
    resolve: { tsconfigPaths: true },
    server: { host: "127.0.0.1", port: 0, hmr: false, fs: { strict: false } },
  });
  vite.middlewares.use("/stage", (_, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(html);
  });
  await vite.listen();
  const address = vite.resolvedUrls?.local[0] ?? "";
  const browser = await openChromium("--font-render-hinting=none");
  return {
    load: (file: string) => vite.ssrLoadModule(file),
    async shoot({ html: markup, width, height, clear = false }: Shot): Promise<Buffer> {
      html = `<!doctype html>${markup}`;
      const page = await browser.newPage({ viewport: { width, height } });
      await page.goto(`${address}stage`, { waitUntil: "networkidle" });
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      const png = await page.screenshot({ omitBackground: clear });
      await page.close();
      return png;
    },
    async close() {
      await browser.close();
      await vite.close();
    },
  };
}
