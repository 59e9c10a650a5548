import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { findChromium, sandboxArgs } from "../../../scripts/chromium.ts";
import { test as base, expect } from "./test.ts";

type Message = {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { message: string };
};

type PlainChromium = Awaited<ReturnType<typeof startPlainChromium>>;

/** Tests with a site and a plain Chromium; they fail on what its pages complain about. */
export const test = base.extend<{ chromium: PlainChromium }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  chromium: async ({}, use) => {
    const chromium = await startPlainChromium();
    await use(chromium);
    await chromium.close();
    expect(chromium.problems).toEqual([]);
  },
});

/**
 * Chromium as people use it. Playwright's way of holding a page keeps the browser from making
 * pages in advance and from keeping those that were left (its default arguments say so): here
 * tabs are held instead, and the page in each may be exchanged.
 */
async function startPlainChromium() {
  const profile = mkdtempSync(path.join(tmpdir(), "chromium-"));
  const program = spawn(
    findChromium() ?? "chromium",
    [
      "--headless",
      "--remote-debugging-port=0",
      `--user-data-dir=${profile}`,
      "--no-first-run",
      "--window-size=1280,800",
      "--disable-component-update",
      "--disable-sync",
      ...sandboxArgs,
      "about:blank",
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const devtools = await connect(await addressOf(program.stderr));
  const sessions = new Set<string>();
  const problems: string[] = [];
  devtools.on("Target.attachedToTarget", async ({ sessionId, targetInfo }) => {
    const session = sessionId as string;
    try {
      if ((targetInfo as { type: string }).type === "tab")
        return await devtools.send("Target.setAutoAttach", hold("page"), session);
      await devtools.send("Runtime.enable", {}, session);
      await devtools.send("Preload.enable", {}, session);
      sessions.add(session);
    } catch {
      // It is gone again.
    }
  });
  devtools.on("Target.detachedFromTarget", ({ sessionId }) => sessions.delete(sessionId as string));
  const rules: string[] = [];
  devtools.on("Preload.ruleSetUpdated", ({ ruleSet }) =>
    rules.push((ruleSet as { sourceText: string }).sourceText),
  );
  devtools.on("Runtime.exceptionThrown", ({ exceptionDetails }) =>
    problems.push(JSON.stringify(exceptionDetails)),
  );
  devtools.on("Runtime.consoleAPICalled", ({ type, args }) => {
    if (type === "error" || type === "warning") problems.push(JSON.stringify(args));
  });
  await devtools.send("Target.setAutoAttach", hold("tab"));

  async function evaluate<T>(session: string, expression: string): Promise<T> {
    const { result, exceptionDetails } = (await devtools.send(
      "Runtime.evaluate",
      { expression, returnByValue: true, awaitPromise: true },
      session,
    )) as { result: { value: T }; exceptionDetails?: unknown };
    if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
    return result.value;
  }

  /** Pages that are there: the one that is looked at, and those made in advance. */
  async function pages(isAhead: boolean) {
    const ask = "({ isAhead: document.prerendering, path: location.pathname })";
    const all = [...sessions].map(async (session) => {
      const page = await evaluate<{ isAhead: boolean; path: string }>(session, ask);
      return { session, ...page };
    });
    // One that goes away meanwhile is none.
    const answers = await Promise.allSettled(all);
    return answers
      .flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []))
      .filter((page) => page.isAhead === isAhead);
  }

  /** The session of the page that is looked at. */
  async function current(): Promise<string> {
    let session: string | undefined;
    await expect(async () => {
      [session] = (await pages(false)).map((page) => page.session);
      expect(session).toBeDefined();
    }).toPass();
    return session ?? "";
  }
  async function inPage<T>(expression: string): Promise<T> {
    try {
      return await evaluate<T>(await current(), expression);
    } catch (error) {
      if (isLeft(error)) return inPage<T>(expression);
      throw error;
    }
  }

  async function mouse(types: string[], selector: string) {
    const point = await inPage<{ x: number; y: number }>(
      `(() => { const { x, y, width, height } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect(); return { x: x + width / 2, y: y + height / 2 }; })()`,
    );
    const session = await current();
    for (const type of types) {
      const press = type === "mouseMoved" ? {} : { button: "left", clickCount: 1 };
      const sent = devtools.send("Input.dispatchMouseEvent", { type, ...point, ...press }, session);
      await sent.catch((error) => {
        // The answer can be lost to the way that the click led.
        if (type !== "mouseReleased" || !isLeft(error)) throw error;
      });
    }
  }

  return {
    problems,
    /** The speculation rules that pages have brought, as they came. */
    rules,
    /** Sends these headers with every request from now on. */
    sendHeaders: async (headers: Record<string, string>) => {
      const session = await current();
      await devtools.send("Network.enable", {}, session);
      await devtools.send("Network.setExtraHTTPHeaders", { headers }, session);
    },
    /** What an expression comes to, in the page that is looked at. */
    inPage,
    /** The same in the page that was made in advance for this path. */
    async inPrerendered<T>(path: string, expression: string): Promise<T> {
      const made = (await pages(true)).find((page) => page.path === path);
      if (!made) throw new Error(`no page was made in advance for ${path}`);
      return evaluate<T>(made.session, expression);
    },
    /** Paths of the pages that were made in advance. */
    prerendered: async () => (await pages(true)).map((page) => page.path),
    async open(url: string) {
      await devtools.send("Page.navigate", { url }, await current());
      await expect.poll(() => inPage("document.readyState + location.href")).toBe(`complete${url}`);
    },
    hover: (selector: string) => mouse(["mouseMoved"], selector),
    click: (selector: string) => mouse(["mouseMoved", "mousePressed", "mouseReleased"], selector),
    setCookie: (cookie: { name: string; value: string; url: string }) =>
      devtools.send("Storage.setCookies", { cookies: [cookie] }),
    clearCookies: () => devtools.send("Storage.clearCookies"),
    async cookies() {
      const { cookies } = (await devtools.send("Storage.getCookies")) as {
        cookies: { name: string }[];
      };
      return cookies.map(({ name }) => name);
    },
    async close() {
      const gone = once(program, "exit");
      program.kill("SIGTERM");
      await gone;
      // Its helpers may write a moment longer.
      rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

/** Another page has taken the place of the one that was asked just now. */
const isLeft = (error: unknown) =>
  /Session with given id|context was destroyed|navigated or closed|Cannot find (default execution )?context/.test(
    String(error),
  );

const hold = (type: string) => ({
  autoAttach: true,
  waitForDebuggerOnStart: false,
  flatten: true,
  filter: [{ type }, { exclude: true }],
});

/** Chromium prints where its developer tools listen. */
function addressOf(printed: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    printed.on("data", (chunk) => {
      text += chunk;
      const [, address] = /listening on (ws:\S+)/.exec(text) ?? [];
      if (address) resolve(address);
    });
    printed.once("end", () => reject(new Error(`Chromium did not start:\n${text}`)));
  });
}

async function connect(address: string) {
  const socket = new WebSocket(address);
  await once(socket, "open");
  const waiting = new Map<number, PromiseWithResolvers<unknown> & { session?: string }>();
  const listeners = new Map<string, (params: Record<string, unknown>) => unknown>();
  let last = 0;
  socket.addEventListener("message", ({ data }) => {
    const { id, method, params = {}, result, error } = JSON.parse(String(data)) as Message;
    if (method) listeners.get(method)?.(params);
    // A page that is gone answers no more.
    if (method === "Target.detachedFromTarget")
      for (const { session, reject } of waiting.values())
        if (session === params.sessionId) reject(new Error("Session with given id is gone"));
    const answer = waiting.get(id ?? -1);
    waiting.delete(id ?? -1);
    if (error) answer?.reject(new Error(error.message));
    else answer?.resolve(result);
  });
  return {
    send(method: string, params: object = {}, sessionId?: string): Promise<unknown> {
      last += 1;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(last, { ...answer, session: sessionId });
      socket.send(JSON.stringify({ id: last, method, params, sessionId }));
      return answer.promise;
    },
    on(method: string, listener: (params: Record<string, unknown>) => unknown) {
      listeners.set(method, listener);
    },
  };
}
