import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { content } from "./scripts/build/content.ts";
import { siteScript } from "./scripts/build/site-script.ts";

export default defineConfig(({ command }) => ({
  plugins: [content(), tailwindcss(), reactRouter(), siteScript()],
  resolve: { tsconfigPaths: true },
  build: {
    target: "es2022",
    // Inlined fonts and pictures would be paid for by every page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  environments: {
    ssr: {
      // The built server brings its libraries along, without what it does not use of them:
      // looking up and compiling two thousand files took most of a start.
      resolve: { noExternal: command === "build" ? true : undefined },
      build: { rollupOptions: { input: "./app/main.ts" } },
    },
  },
}));
