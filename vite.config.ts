import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { siteScript } from "./scripts/build/site-script.ts";

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), siteScript()],
  resolve: { tsconfigPaths: true },
  build: {
    target: "es2022",
    // Inlined fonts and pictures would be paid for by every page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  environments: {
    ssr: { build: { rollupOptions: { input: "./app/main.ts" } } },
  },
});
