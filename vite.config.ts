import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import manifest from "./package.json" with { type: "json" };
import { chunks } from "./scripts/build/chunks.ts";
import { content } from "./scripts/build/content.ts";

export default defineConfig(({ command }) => ({
  plugins: [content(), tailwindcss(), reactRouter(), chunks()],
  resolve: { tsconfigPaths: true },
  build: {
    // Also for styles: `build.cssTarget` follows it.
    target: manifest.browserslist.map((query) =>
      query.replace("ios_saf", "ios").replace(" >= ", ""),
    ),
    // Inlined fonts and pictures would be paid for by every page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              // What most pages have in common comes as one file: a dozen of small ones compress
              // worse, by 2 of the 140 KiB that the player may have.
              groups: [
                {
                  name: "shared",
                  test: /node_modules[\\/]lucide[\\/]|[\\/]app[\\/](ui[\\/]|routes[\\/]page-head)/,
                  minShareCount: 14,
                },
                { name: "router", test: /node_modules[\\/]react-router[\\/]/, minShareCount: 14 },
              ],
            },
          },
        },
      },
    },
    ssr: {
      // The built server brings its libraries along, without what it does not use of them:
      // looking up and compiling two thousand files took most of a start.
      // sharp is native, and only the process that makes pictures loads it.
      resolve: { noExternal: command === "build" ? true : undefined, external: ["sharp"] },
      build: { rollupOptions: { input: "./app/server/main.ts" } },
    },
  },
}));
