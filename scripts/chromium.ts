import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { type Browser, chromium } from "@playwright/test";

const howTo =
  "No Chromium was found for the browser tests. Install one ('npx playwright install --with-deps chromium', or your system's package 'chromium'), or set CHROMIUM_PATH to its program.";

/** As root Chromium starts only without its sandbox. */
export const sandboxArgs: readonly string[] = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

const runs = (file: string) =>
  existsSync(file) && spawnSync(file, ["--version"], { stdio: "ignore" }).status === 0;

/**
 * A Chromium as people use it, windows and all: CHROMIUM_PATH, else the system's, else Playwright's
 * own; null without one.
 */
export function findChromium(): string | null {
  const named = process.env.CHROMIUM_PATH;
  if (named) return existsSync(named) ? named : null;
  const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", chromium.executablePath()];
  // A downloaded one may lack libraries of the system: it is only good if it starts.
  return places.find(runs) ?? null;
}

/**
 * What most browser tests use: Debian's Chromium without windows, in which a page opens in half the
 * time, where it is installed; else {@link findChromium}. It keeps no page that was left.
 */
export function findHeadlessChromium(): string | null {
  const place = "/usr/bin/chromium-headless-shell";
  return !process.env.CHROMIUM_PATH && runs(place) ? place : findChromium();
}

/**
 * {@link findChromium}, after installing one if there is none: Playwright's own download, else
 * Debian's package where that is allowed.
 * @throws with one line that says what to do when neither works
 */
export function ensureChromium(): string {
  const found = findChromium() ?? (process.env.CHROMIUM_PATH ? null : install());
  if (!found) throw new Error(howTo);
  return found;
}

/** Starts it, installed if need be. @throws as {@link ensureChromium} */
export function openChromium(...args: string[]): Promise<Browser> {
  return chromium.launch({ executablePath: ensureChromium(), args: [...sandboxArgs, ...args] });
}

function install(): string | null {
  process.stdout.write("No Chromium found. Getting one for the browser tests ...\n");
  const home = path.dirname(createRequire(import.meta.url).resolve("@playwright/test"));
  spawnSync(process.execPath, [path.join(home, "cli.js"), "install", "--no-shell", "chromium"]);
  const downloaded = findChromium();
  if (downloaded) return downloaded;
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return null;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  spawnSync("apt-get", ["update"], { env });
  spawnSync("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], { env });
  return findChromium();
}
