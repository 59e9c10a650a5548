import puppeteer, { type ElementHandle, type KeyInput } from "puppeteer-core";
import { findEngine } from "../../../scripts/engines.ts";
import type { Engine, EngineOptions, Key } from "./driver.ts";

/** Starts Firefox, driven by WebDriver BiDi. */
export async function startFirefox({ scripts }: EngineOptions): Promise<Engine> {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: findEngine("firefox")?.browser,
    headless: true,
    // Of a busy machine, for the start and for each answer.
    timeout: 90_000,
    protocolTimeout: 60_000,
    extraPrefsFirefox: {
      "javascript.enabled": scripts,
      "layout.css.prefers-color-scheme.content-override": 0,
      "ui.prefersReducedMotion": 1,
      // As on a phone: they take no room.
      "ui.useOverlayScrollbars": 1,
    },
  });
  return {
    name: "firefox",
    async window() {
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      const complaints: string[] = [];
      page.on("pageerror", (error) => {
        // The rest of an answer that has led to another page is of no use.
        if (!/Error in input stream/.test(String(error))) complaints.push(String(error));
      });
      page.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text());
      });
      return {
        open: async (url) => void (await page.goto(url)),
        reload: async () => void (await page.reload()),
        back: async () => void (await page.goBack()),
        run: <T>(expression: string) => page.evaluate(expression) as Promise<T>,
        click: (x, y) => page.mouse.click(x, y),
        type: (text) => page.keyboard.type(text),
        async press(key) {
          if (key !== "SelectAll") return page.keyboard.press(keys[key]);
          await page.keyboard.down("Control");
          await page.keyboard.press("a");
          await page.keyboard.up("Control");
        },
        async choose(expression, file) {
          const input = await page.evaluateHandle(expression);
          await (input.asElement() as ElementHandle<HTMLInputElement>).uploadFile(file);
        },
        resize: (width, height) => page.setViewport({ width, height }),
        async setCookie(name, value) {
          const { hostname } = new URL(page.url());
          await context.setCookie({ name, value, domain: hostname, path: "/" });
        },
        screenshot: async () => Buffer.from(await page.screenshot()),
        print: async () => Buffer.from(await page.pdf()),
        complaints: () => complaints.splice(0),
        close: () => context.close(),
      };
    },
    close: () => browser.close(),
  };
}

const keys: Record<Exclude<Key, "SelectAll">, KeyInput> = {
  Tab: "Tab",
  Enter: "Enter",
  Escape: "Escape",
  Space: "Space",
  Home: "Home",
  ArrowRight: "ArrowRight",
};
