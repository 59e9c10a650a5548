import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "vitest";
import { openChromium } from "../../../scripts/chromium.ts";
import { writeSampleEmails } from "../../../scripts/mail/emails.ts";
import { openWorld } from "../../../scripts/mail/world.ts";
import { temporaryFolder } from "../../support/config.ts";
import { openEveryPage } from "../../support/every-page.ts";
import { openForTests } from "../../support/open-for-tests.ts";

/*
 * Two judges that had no part in making the pages: W3C's Nu checker reads the HTML as it is sent,
 * IBM's Equal Access the pages as Chromium shows them. What they may say all the same stands in the
 * lists below, each with its reason.
 */

const site = openForTests(openEveryPage);
const { resolve } = createRequire(import.meta.url);

type Allowed = { says: RegExp; where?: RegExp; because: string };
const isAllowed = (list: Allowed[], finding: string) =>
  list.some(({ says, where }) => says.test(finding) && (!where || where.test(finding)));

const nuAllows: Allowed[] = [
  {
    says: /(“closedby” not allowed on element “dialog”|“command(for)?” not allowed on element “button”)/,
    because:
      "HTML of 2025, which this version of the checker does not know; browsers without it lose nothing",
  },
  {
    says: /“name” not allowed on element “details”/,
    because: "HTML of 2023, which this version of the checker does not know",
  },
  {
    says: /“autocorrect” not allowed on element “input”/,
    because:
      "HTML of 2024, which this version of the checker does not know: iPhones correct passwords",
  },
  {
    says: /The “(table|rowgroup|row|rowheader|columnheader|cell)” role is unnecessary|The “role” attribute must not be used on a “t[rhd]” element/,
    because:
      "ui/table.tsx: on phones CSS takes the cells, and with them their roles, out of the table",
  },
];

const nuAllowsInEmails: Allowed[] = [
  {
    says: /Almost standards mode doctype|attribute on the “table” element is obsolete/,
    because: "mail programs lay out by tables and their attributes; Outlook knows nothing else",
  },
  {
    says: /“(mso-padding-alt|mso-text-raise|supported-color-schemes)”: Property/,
    because: "Outlook and Apple Mail read these",
  },
  {
    says: /Element “meta” is missing.*x-apple-disable-message-reformatting/,
    because: "Apple Mail reads it by its name alone",
  },
];

const ibmAllows: Allowed[] = [
  {
    says: /input_label_exists.*class="control (media-code|media-transcript)|input_label_exists.*(accept="\.vtt|name="picture")/,
    because: "they have labels; it does not see those that lie in a closed <details>",
  },
  {
    says: /aria_id_unique: The 'id' "outline"/,
    because: "dnd-kit writes what describes its handles once React runs, a moment after the page",
  },
  {
    says: /aria_form_label_unique/,
    because: "a form without a name is no landmark (HTML-AAM): there is nothing to be told apart",
  },
  {
    says: /aria_article_label_unique/,
    because: "an article is no landmark; these have headings, and a name would be read twice",
  },
  {
    says: /input_autocomplete_valid.*autocomplete="username"/,
    because: "for password managers, whose user name here is the email address",
  },
];

const noJava =
  "Java is not here (11 or later): W3C's Nu checker, which is a Java program, is left out";
const hasJava = spawnSync("java", ["-version"]).status === 0;

/** What W3C's Nu checker finds in documents, by name: 'name: message (extract)'. */
function nuFindings(documents: Map<string, string>): string[] {
  const folder = temporaryFolder();
  const names = new Map<string, string>();
  for (const [name, html] of documents) {
    const file = path.join(folder, `${names.size}.html`);
    names.set(file, name);
    writeFileSync(file, html);
  }
  const jar = path.join(path.dirname(resolve("vnu-jar")), "build", "dist", "vnu.jar");
  const { stdout } = spawnSync(
    "java",
    ["-jar", jar, "--format", "json", "--stdout", "--exit-zero-always", ...names.keys()],
    { encoding: "utf8", maxBuffer: 2 ** 28 },
  );
  const { messages } = JSON.parse(stdout) as {
    messages: { type: string; subType?: string; url: string; message: string; extract?: string }[];
  };
  // What is neither an error nor a warning is about style, such as the slash in '<br/>'.
  const mistakes = messages.filter(({ type, subType }) => type !== "info" || subType);
  return mistakes.map(({ url, message, extract }) => {
    const file = decodeURIComponent(url.replace(/^file:/, ""));
    return `${names.get(file) ?? file}: ${message} (${extract?.replaceAll(/\s+/g, " ") ?? ""})`;
  });
}

test("HTML of every page: W3C's Nu checker finds no mistake", async (context) => {
  if (!hasJava) context.skip(noJava);
  const documents = new Map<string, string>();
  for (const { path: address, as } of site.pages)
    documents.set(
      `${address} as ${as?.name ?? "anybody"}`,
      await (await site.ask(address, { as })).text(),
    );
  const findings = nuFindings(documents).filter((finding) => !isAllowed(nuAllows, finding));
  expect(findings).toEqual([]);
}, 300_000);

test("HTML of every email: W3C's Nu checker finds what mail programs need, and nothing else", async (context) => {
  if (!hasJava) context.skip(noJava);
  const world = await openWorld();
  const emails = await writeSampleEmails(world);
  await world.close();
  const documents = new Map(emails.map(({ kind, message }, at) => [`${kind} ${at}`, message.html]));
  const findings = nuFindings(documents).filter((finding) => !isAllowed(nuAllowsInEmails, finding));
  expect(findings).toEqual([]);
}, 180_000);

type IbmReport = {
  results: {
    ruleId: string;
    value: [string, string];
    message: string;
    snippet: string;
    path: { dom: string };
  }[];
};
type Ibm = { Checker: new () => { check(of: Document, by: string[]): Promise<IbmReport> } };

test("every page in Chromium: IBM's Equal Access finds no violation of WCAG 2.2", async () => {
  const engine = readFileSync(resolve("accessibility-checker-engine/ace.js"), "utf8");
  const browser = await openChromium();
  const people = Map.groupBy(site.pages, ({ as }) => as);
  const findings: string[] = [];
  for (const [as, pages] of people) {
    const context = await browser.newContext({ reducedMotion: "reduce" });
    if (as) {
      const [name = "", value = ""] = (await site.cookieOf(as)).split("=");
      await context.addCookies([{ name, value, url: site.url }]);
    }
    const page = await context.newPage();
    for (const { path: address } of pages) {
      await page.goto(site.url + address, { waitUntil: "load" });
      const found = await ibmFindings(page, engine);
      findings.push(...found.map((finding) => `${address}: ${finding}`));
    }
    await context.close();
  }
  await browser.close();
  expect(findings.filter((finding) => !isAllowed(ibmAllows, finding))).toEqual([]);
}, 600_000);

async function ibmFindings(page: Page, engine: string): Promise<string[]> {
  await page.evaluate(engine);
  return page.evaluate(async () => {
    const { Checker } = (window as unknown as { ace: Ibm }).ace;
    const { results } = await new Checker().check(document, ["WCAG_2_2"]);
    return results
      .filter(({ value: [kind, outcome] }) => kind === "VIOLATION" && outcome === "FAIL")
      .map(({ ruleId, message, snippet }) => `${ruleId}: ${message} (${snippet})`);
  });
}
