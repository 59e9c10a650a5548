import type { BrowserContext, Request } from "@playwright/test";

/** What the browser complains about while a test runs. A test fails on all of it but what it expects. */
export type Watch = ReturnType<typeof createWatch>;

// The answer or the failed request behind these is noted by itself, with its address.
const saidElsewhere = /^Failed to load resource/;

/** @param others hosts that the browser may be led to, e.g. for paying */
export function createWatch(origin: string, others: readonly string[] = []) {
  const troubles: string[] = [];
  const expected: RegExp[] = [];
  const allowed: RegExp[] = [];
  const answered = new WeakSet<Request>();
  let over = false;
  const path = (url: string) => (url.startsWith(origin) ? url.slice(origin.length) : url);
  const known = (trouble: string) =>
    [...expected, ...allowed].some((pattern) => pattern.test(trouble));

  return {
    /** Listens to every page of a browser context, from before its first request. */
    attach(context: BrowserContext, hasScripts: boolean) {
      context.on("console", (message) => {
        const text = message.text();
        if (!["error", "warning"].includes(message.type()) || saidElsewhere.test(text)) return;
        troubles.push(`console ${message.type()}: ${text}`);
      });
      context.on("weberror", (error) => troubles.push(`page error: ${error.error().stack}`));
      context.on("request", (request) => {
        const url = request.url();
        const known = [origin, ...others].some((host) => url.startsWith(`${host}/`));
        if (/^https?:/.test(url) && !known) troubles.push(`another host: ${url}`);
      });
      context.on("requestfailed", (request) => {
        const { errorText = "" } = request.failure() ?? {};
        // The browser gives up what it has no use for any more: prefetches, the rest of a video
        // or of an answer that led to another page; and whatever is under way when it is closed.
        // A draft (PUT) that is cut off so is sent again by the page as it goes.
        // A preview only reads, although it is asked for with a body; clearing the cache
        // and saving a preference outlive their page, which sees no more of them.
        const isLeft =
          /\/(admin\/(lessons|pages\/[^/]+)\/preview|api\/(clear-cache|preferences))$/.test(
            request.url(),
          );
        const mayEnd =
          ["GET", "PUT"].includes(request.method()) || isLeft || answered.has(request) || over;
        if (errorText === "net::ERR_ABORTED" && mayEnd) return;
        // A browser whose scripts are off calls it its policy that it does not preload them.
        if (errorText === "csp" && !hasScripts && request.url().endsWith(".js")) return;
        troubles.push(`failed: ${request.method()} ${path(request.url())} ${errorText}`);
      });
      context.on("response", (response) => {
        answered.add(response.request());
        if (response.status() < 400) return;
        const asked = `${response.request().method()} ${path(response.url())}`;
        troubles.push(`answer ${response.status()}: ${asked}`);
      });
    },
    /** The test has ended; its browsers are closed next. */
    end: () => {
      over = true;
    },
    /** This is going to happen in this test, at least once; it is no fault. */
    expect: (...patterns: RegExp[]) => void expected.push(...patterns),
    /** This may happen, or not: which of two things comes first is no one's fault. */
    allow: (...patterns: RegExp[]) => void allowed.push(...patterns),
    /** @returns what no one expected, and what was expected in vain */
    verdict: () => [
      ...troubles.filter((trouble) => !known(trouble)),
      ...expected
        .filter((pattern) => !troubles.some((trouble) => pattern.test(trouble)))
        .map((pattern) => `expected in vain: ${pattern}`),
    ],
  };
}
