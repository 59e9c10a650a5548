import type { BrowserContext, Frame, Page } from "@playwright/test";
import { withoutPasskeys } from "~/features/auth/components/passkey-browser.ts";
import { themeScript } from "~/ui/theme.ts";

/**
 * Notices whatever runs, loads or goes somewhere in a browser that no one of the site has written:
 * calls of `xss(…)`, dialogs, windows, downloads, other hosts, addresses that are programs, and
 * what the page's policy stopped. The policy is the second wall: a page that needs it has a hole.
 */
export type Detector = {
  /** Everything noticed so far, a line each. */
  noticed: string[];
  /** What stands in the page now that could run or take someone elsewhere. */
  dangers(page: Page): Promise<string[]>;
};

/** The scripts that stand in pages themselves, which the policy knows by their hashes. */
const inline = [themeScript, withoutPasskeys];
const programs = /^[\s\p{Cc}]*(javascript|vbscript|data):/iu;
const stopped = /Not allowed to navigate top frame to data URL|Refused to |Blocked script/;

/** Begins to watch a context, before its first page. */
export async function watchForAttacks(context: BrowserContext, origin: string): Promise<Detector> {
  const noticed: string[] = [];
  const note = (what: string, page: Page | null) => void noticed.push(`${what} on ${page?.url()}`);
  await context.exposeBinding("xss", ({ page }, mark) => note(`ran: xss(${mark})`, page));
  await context.exposeBinding("policyStopped", ({ page }, what) =>
    note(`stopped by the policy: ${what}`, page),
  );
  await context.addInitScript(() => {
    const say = ({ effectiveDirective, blockedURI, sourceFile }: SecurityPolicyViolationEvent) =>
      (window as unknown as { policyStopped(what: string): void }).policyStopped(
        `${effectiveDirective} ${blockedURI || sourceFile}`,
      );
    window.addEventListener("securitypolicyviolation", say, true);
  });
  context.on("dialog", (dialog) => {
    note(`dialog: ${dialog.message()}`, dialog.page());
    return dialog.dismiss();
  });
  context.on("console", (message) => {
    if (stopped.test(message.text())) note(`stopped: ${message.text()}`, message.page());
  });
  context.on("request", (request) => {
    const url = request.url();
    if (/^(http|ws)s?:/.test(url) && new URL(url).host !== new URL(origin).host)
      noticed.push(`another host: ${url}`);
  });
  context.on("page", async (page) => {
    page.on("framenavigated", (frame: Frame) => {
      if (programs.test(frame.url()) || frame.url() === "about:srcdoc")
        note(`went to ${frame.url()}`, page);
    });
    page.on("download", (download) => note(`download: ${download.url()}`, page));
    if (await page.opener()) note("a window was opened", page);
  });
  return {
    noticed,
    dangers: async (page) => {
      const found = await page.evaluate(findDangers, { origin, inline });
      return found.map((danger) => `${danger} on ${page.url()}`);
    },
  };
}

/** Runs in the page, over its document and the open shadow trees in it. */
function findDangers({ origin, inline }: { origin: string; inline: string[] }): string[] {
  const found: string[] = [];
  // The preview of an email, in a frame of the site's own that runs nothing.
  const preview = 'iframe.issue-frame[src^="/admin/newsletter/issues/"]';
  const embedding = `iframe:not(${preview}), frame, object, embed, portal, applet, base, meta[http-equiv], style`;
  // What Markdown may become (docs: platform/markdown) has none of these in it.
  const notInProse = "script, form, button, select, textarea, svg, math, video, audio, [style]";
  const isOwn = (url: string) => new URL(url, origin).origin === origin;
  const isPicture = (url: string) => /^data:image\/(gif|png|svg\+xml|jpeg|webp)[;,]/i.test(url);

  function scriptDanger(script: HTMLScriptElement): boolean {
    if (["application/ld+json", "speculationrules"].includes(script.type)) return false;
    const own = script.src
      ? isOwn(script.src)
      : script.nonce !== "" || inline.includes(script.text);
    return !own || /\bxss\(/.test(script.text.replaceAll(/"(?:\\.|[^"\\])*"/g, ""));
  }

  function addressDanger(element: Element, name: string, value: string): boolean {
    // Read as the browser reads it, which sees no line breaks in 'java\nscript:'.
    const url = URL.parse(value, document.baseURI);
    if (!url) return false;
    if (["javascript:", "vbscript:"].includes(url.protocol)) return true;
    if (url.protocol === "data:") return !(isPicture(url.href) && element.matches("img, image"));
    // Other sites may be linked to; nothing may come from there, or be sent there.
    const isLink = element.matches("a, area") && name !== "ping";
    const isPointer = element.matches("link:is([rel=canonical], [rel=alternate])");
    if (isLink || isPointer || url.protocol === "blob:") return false;
    return url.origin !== origin;
  }

  const addresses =
    /^(href|src|srcset|srcdoc|action|formaction|data|ping|poster|background|xlink:href|cite|manifest)$/;
  function look(root: Document | ShadowRoot) {
    for (const element of root.querySelectorAll("*")) {
      const shown = element.outerHTML.slice(0, 200);
      const isInShadow = root instanceof ShadowRoot;
      if (element.matches(embedding) && !(isInShadow && element.matches("style")))
        found.push(`element: ${shown}`);
      if (element instanceof HTMLScriptElement && scriptDanger(element))
        found.push(`script: ${shown}`);
      if (element.closest(".prose") && element.matches(notInProse))
        found.push(`in prose: ${shown}`);
      for (const { name, value } of element.attributes) {
        if (/^on/i.test(name)) found.push(`attribute ${name}: ${shown}`);
        if (name === "style" && /url\(|expression|@import|animation/i.test(value))
          found.push(`style: ${shown}`);
        if (addresses.test(name) && addressDanger(element, name, value))
          found.push(`address in ${name}: ${shown}`);
      }
      if (element.shadowRoot) look(element.shadowRoot);
    }
  }
  look(document);
  return found;
}
