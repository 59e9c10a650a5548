import { writeFileSync } from "node:fs";
import { test as base, expect } from "@playwright/test";
import { type EngineName, findEngine, missing } from "../../../scripts/engines.ts";
import { removeFolders } from "../../e2e/support/folders.ts";
import { type Gate, startGate } from "../../e2e/support/network-gate.ts";
import { type RunningSite, startBuiltSite } from "../../e2e/support/site.ts";
import { cookieOf, type Person } from "../../support/people.ts";
import type { Engine } from "./driver.ts";
import { startFirefox } from "./firefox.ts";
import { type Page, pageOf } from "./page.ts";
import { startWebKit } from "./webkit.ts";

export { expect };

type WorkerFixtures = {
  /** Which engine a project's journeys run in. */
  engineName: EngineName;
  /** One site for the journeys of an engine: each creates users and courses of its own. */
  site: RunningSite;
  engine: Engine;
};

type TestFixtures = {
  /** Skips the test where the engine is missing. */
  isInstalled: undefined;
  /** A new window on the site, by night, 1280 pixels wide. */
  tab: Page;
  /** A line to the site that the test holds in its hand. */
  gate: Gate;
  /** The same as wide as a phone, in a browser whose scripts are switched off. */
  plainTab: Page;
  /** What pages may complain about in this test; empty unless it adds something. */
  mayComplain: RegExp[];
};

const desk = { width: 1280, height: 800 };
export const phone = { width: 360, height: 700 };

const startEngine = (name: EngineName, options: { scripts: boolean }): Promise<Engine> =>
  name === "firefox" ? startFirefox(options) : startWebKit(options);

/** A journey, in the engine of its project. It fails on whatever its pages complain about. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  engineName: ["firefox", { option: true, scope: "worker" }],
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: the first argument names what it needs
    async ({}, use) => {
      const site = await startBuiltSite({ TRUSTED_PROXIES: "0" }, process.env.E2E_TEMPLATE);
      await use(site);
      await site.close();
    },
    { scope: "worker" },
  ],
  engine: [
    async ({ engineName }, use) => {
      const engine = await startEngine(engineName, { scripts: true });
      await use(engine);
      await engine.close();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  isInstalled: [
    async ({ engineName }, use, testInfo) => {
      testInfo.skip(findEngine(engineName) === null, missing(engineName));
      await use(undefined);
      removeFolders();
    },
    { auto: true },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: the first argument names what it needs
  mayComplain: async ({}, use) => use([]),
  tab: async ({ isInstalled: _, engine, site, mayComplain }, use, testInfo) => {
    const driver = await engine.window();
    await driver.resize(desk.width, desk.height);
    await use(pageOf(driver, site.url));
    if (testInfo.status !== testInfo.expectedStatus)
      writeFileSync(testInfo.outputPath("window.png"), await driver.screenshot());
    const complaints = driver.complaints();
    await driver.close();
    const unexpected = complaints.filter((one) => !mayComplain.some((may) => may.test(one)));
    expect(unexpected, "what the browser complained about").toEqual([]);
  },
  plainTab: async ({ isInstalled: _, engineName, site }, use) => {
    const engine = await startEngine(engineName, { scripts: false });
    const driver = await engine.window();
    await driver.resize(phone.width, phone.height);
    await use(pageOf(driver, site.url));
    await driver.close();
    await engine.close();
  },
  gate: async ({ site }, use) => {
    const gate = await startGate(site.url);
    await use(gate);
    await gate.close();
  },
});

/** From now on this person is signed in. */
export async function signInAs({ driver, open }: Page, { services }: RunningSite, who: Person) {
  const [name = "", value = ""] = (await cookieOf(services, who.id)).split("=");
  // A cookie is set for the page that is open; this one is light.
  await open("/healthz");
  await driver.setCookie(name, value);
}
