import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";

export type EngineName = "firefox" | "webkit";

type Engine = {
  /** The Debian packages that have it. */
  packages: string[];
  /** Each is there if one of its places is. */
  parts: Record<string, string[]>;
};

/**
 * What the journeys in other engines need. WebKit is WebKitGTK: it wants a screen (Xvfb), and
 * GStreamer for film and sound.
 */
const engines: Record<EngineName, Engine> = {
  firefox: {
    packages: ["firefox-esr"],
    parts: { browser: ["/usr/bin/firefox-esr", "/usr/bin/firefox"] },
  },
  webkit: {
    packages: [
      ...["webkit2gtk-driver", "xvfb", "gstreamer1.0-plugins-good"],
      ...["gstreamer1.0-plugins-bad", "gstreamer1.0-libav"],
    ],
    parts: {
      browser: ["/usr/lib/*/webkit2gtk-4.*/MiniBrowser"],
      driver: ["/usr/bin/WebKitWebDriver"],
      screen: ["/usr/bin/Xvfb"],
      film: ["/usr/lib/*/gstreamer-1.0/libgstvpx.so"],
      sound: ["/usr/lib/*/gstreamer-1.0/libgstwavparse.so"],
    },
  },
};

/** Where the parts of an engine are on this machine; FIREFOX_PATH names another Firefox. Null if one is missing. */
export function findEngine(name: EngineName): Record<string, string> | null {
  const found: Record<string, string> = {};
  for (const [part, places] of Object.entries(engines[name].parts)) {
    const named = name === "firefox" ? process.env.FIREFOX_PATH : undefined;
    const place = named ? [named].find((file) => existsSync(file)) : globSync(places).sort().at(-1);
    if (!place) return null;
    found[part] = place;
  }
  return found;
}

/** Installs an engine that is missing, by Debian's packages, where that is allowed. @returns whether it is there now */
export function ensureEngine(name: EngineName): boolean {
  if (findEngine(name)) return true;
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return false;
  process.stdout.write(`No ${name} found. Getting one for the browser tests ...\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { packages } = engines[name];
  spawnSync("apt-get", ["update"], { env });
  spawnSync("apt-get", ["install", "-y", "--no-install-recommends", ...packages], { env });
  return findEngine(name) !== null;
}

/** The line for whoever runs the tests without an engine. */
export const missing = (name: EngineName): string =>
  `The journeys in ${name} are left out: it is not installed ('apt-get install ${engines[name].packages.join(" ")}').`;
