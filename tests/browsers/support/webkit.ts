import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "@playwright/test";
import { Builder, Key as Keys, type WebDriver, type WebElement } from "selenium-webdriver";
import { findEngine } from "../../../scripts/engines.ts";
import { temporaryFolder } from "../../support/config.ts";
import { freePort } from "../../support/port.ts";
import type { Driver, Engine, EngineOptions, Key } from "./driver.ts";

/**
 * Starts WebKit on a screen of its own: WebKitGTK's small browser, driven by W3C WebDriver. Each
 * window is a browser of its own, so that it knows nothing of the one before.
 */
export async function startWebKit({ scripts }: EngineOptions): Promise<Engine> {
  const { browser = "", driver = "", screen = "" } = findEngine("webkit") ?? {};
  const display = spawn(screen, ["-displayfd", "3", "-screen", "0", "1400x1000x24"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const [number] = await once(display.stdio[3] as NodeJS.ReadableStream, "data");
  const port = await freePort();
  const program = spawn(driver, ["-p", String(port)], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      DISPLAY: `:${String(number).trim()}`,
      XDG_CONFIG_HOME: lookOfWindows(),
      LIBGL_ALWAYS_SOFTWARE: "1",
      // WebKit refuses its sandbox to root.
      ...(process.getuid?.() === 0 && { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" }),
    },
  });
  const complaints: string[] = [];
  for (const output of [program.stdout, program.stderr])
    output.on("data", (printed) => {
      for (const line of String(printed).split("\n"))
        if (/^CONSOLE .*\bERROR\b/.test(line)) complaints.push(line);
    });
  const server = `http://127.0.0.1:${port}`;
  await expect(async () => void (await fetch(`${server}/status`))).toPass();
  const args = ["--automation", "--dark-mode", "--enable-write-console-messages-to-stdout=true"];
  const options = { binary: browser, args: [...args, `--enable-javascript=${scripts}`] };
  return {
    name: "webkit",
    async window() {
      const session = await new Builder()
        .usingServer(server)
        .withCapabilities({ browserName: "MiniBrowser", "webkitgtk:browserOptions": options })
        .build();
      return windowOf(session, complaints);
    },
    async close() {
      await end(program);
      await end(display);
    },
  };
}

function windowOf(session: WebDriver, complaints: string[]): Driver {
  return {
    open: (url) => session.get(url),
    reload: () => session.navigate().refresh(),
    back: () => session.navigate().back(),
    run: (expression) => session.executeScript(`return ${expression}`),
    click: (x, y) => session.actions().move({ x, y, duration: 0 }).click().perform(),
    type: (text) => session.actions().sendKeys(text).perform(),
    press: (key) =>
      key === "SelectAll"
        ? session.actions().keyDown(Keys.CONTROL).sendKeys("a").keyUp(Keys.CONTROL).perform()
        : session.actions().sendKeys(keys[key]).perform(),
    async choose(expression, file) {
      const input = await session.executeScript<WebElement>(`return ${expression}`);
      await input.sendKeys(file);
    },
    async resize(width, height) {
      // The toolbar takes some of the window's height.
      const [outer = 0, inner = 0] = await session.executeScript<number[]>(
        "return [outerHeight, innerHeight]",
      );
      const rect = { x: 0, y: 0, width, height: height + outer - inner };
      await session.manage().window().setRect(rect);
      await expect
        .poll(() => session.executeScript("return [innerWidth, innerHeight]"))
        .toEqual([width, height]);
    },
    setCookie: (name, value) => session.manage().addCookie({ name, value, path: "/" }),
    screenshot: async () => Buffer.from(await session.takeScreenshot(), "base64"),
    print: async () => null,
    complaints: () => complaints.splice(0),
    close: () => session.quit(),
  };
}

async function end(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const gone = once(program, "exit");
  program.kill("SIGTERM");
  await gone;
}

/** The toolbar keeps a window wider than a phone, unless its parts are small. */
function lookOfWindows(): string {
  const folder = temporaryFolder();
  const gtk = path.join(folder, "gtk-3.0");
  mkdirSync(gtk, { recursive: true });
  writeFileSync(path.join(gtk, "settings.ini"), "[Settings]\ngtk-enable-animations=0\n");
  writeFileSync(
    path.join(gtk, "gtk.css"),
    "* { min-width: 0; min-height: 0; padding: 0; margin: 0; font-size: 4px; -gtk-icon-transform: scale(0.2); }\n",
  );
  return folder;
}

const keys: Record<Exclude<Key, "SelectAll">, string> = {
  Tab: Keys.TAB,
  Enter: Keys.ENTER,
  Escape: Keys.ESCAPE,
  Space: Keys.SPACE,
  Home: Keys.HOME,
  ArrowRight: Keys.ARROW_RIGHT,
};
