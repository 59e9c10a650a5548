import path from "node:path";
import { build } from "vite";
import { buildIfNeeded } from "./build/build.ts";
import { content } from "./build/content.ts";

process.env.NODE_ENV = "production";
process.env.UV_THREADPOOL_SIZE ??= "8";

buildIfNeeded();
// What is measured inside this process is bundled as the site itself is.
const root = path.join(import.meta.dirname, "..");
await build({
  configFile: false,
  root,
  logLevel: "warn",
  plugins: [content()],
  resolve: { tsconfigPaths: true },
  build: { ssr: "tests/bench/main.ts", outDir: "build/bench", target: "node24" },
});
const { runBench } = await import("../build/bench/main.js");
await runBench(process.argv.slice(2));
