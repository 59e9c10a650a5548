import { rmSync } from "node:fs";
import { buildIfNeeded } from "../../../scripts/build/build.ts";
import { ensureChromium } from "../../../scripts/chromium.ts";
import { screensFolder } from "./screen.ts";

/** Before the browser tests: a Chromium, a fresh build, and no pictures of an earlier run. */
export default function prepare(): void {
  ensureChromium();
  buildIfNeeded();
  rmSync(screensFolder, { recursive: true, force: true });
}
