import { expect } from "@playwright/test";
import type { Driver, Key } from "./driver.ts";

type Role = "button" | "link" | "field" | "heading" | "slider";
type Name = string | RegExp;
export type Page = ReturnType<typeof pageOf>;

const json = (value: unknown) => JSON.stringify(value) ?? "undefined";
const call = <A extends unknown[]>(inPage: (...args: A) => unknown, ...args: A) =>
  `(${inPage})(${args.map(json).join(", ")})`;
const plain = (name: Name) =>
  typeof name === "string" ? { text: name } : { pattern: name.source, flags: name.flags };

/**
 * A page as its reader uses it: found by role and name, pressed by mouse and keyboard. Every step
 * waits until it can be done, and a press lands only where the reader would see what is pressed.
 * `within` is a CSS selector.
 */
export function pageOf(driver: Driver, siteUrl: string) {
  const one = (role: Role, name: Name, within = "body") =>
    call(locate, role, plain(name), within, true);

  /** Where it can be pressed: in sight, uncovered, enabled and standing still. */
  async function pointOf(element: string) {
    let point = { x: 0, y: 0 };
    await expect(async () => {
      point = await driver.run(`(${uncovered})(${element})`);
      expect(await driver.run(`(${uncovered})(${element})`)).toEqual(point);
    }).toPass();
    return point;
  }

  async function press(element: string) {
    const { x, y } = await pointOf(element);
    await driver.click(x, y);
  }

  /** Polls what a function comes to in the page, until it is this. */
  const becomes = <A extends unknown[]>(inPage: (...args: A) => unknown, ...args: A) => ({
    async toBe(wanted: unknown) {
      await expect(async () => {
        expect(await driver.run(call(inPage, ...args))).toEqual(wanted);
      }).toPass();
    },
  });

  return {
    driver,
    becomes,
    /** What a function comes to in the page. */
    run: <T, A extends unknown[]>(inPage: (...args: A) => T, ...args: A): Promise<T> =>
      driver.run(call(inPage, ...args)),
    /** Opens a path of the site, or an address. */
    open: (path: string) => driver.open(new URL(path, siteUrl).href),
    /** The same, and waits until React has taken the page over. */
    async openHydrated(path: string) {
      await this.open(path);
      await this.hydrated();
    },
    hydrated: () =>
      becomes(() =>
        Object.keys(document.querySelector("main") ?? {}).some((key) =>
          key.startsWith("__reactFiber"),
        ),
      ).toBe(true),
    click: (role: Role, name: Name, within?: string) => press(one(role, name, within)),
    press: (key: Key) => driver.press(key),
    /** Types into a field in place of what is in it. */
    async fill(name: Name, text: string, within?: string) {
      await press(one("field", name, within));
      await driver.press("SelectAll");
      await driver.type(text);
      await this.hasValue(name, text, within);
    },
    hasValue: (name: Name, text: string, within?: string) =>
      expect(async () => {
        expect(await driver.run(`${one("field", name, within)}.value`)).toBe(text);
      }).toPass(),
    choose: (name: Name, file: string, within?: string) =>
      driver.choose(call(locate, "field", plain(name), within ?? "body", false), file),
    /** Waits until these words stand on the page, for the reader to see. */
    sees: (words: Name, within = "body") =>
      expect(async () => {
        const text = await driver.run<string>(call(wordsOf, within));
        if (typeof words === "string") expect(text).toContain(words);
        else expect(text).toMatch(words);
      }).toPass(),
    /** Waits until they do not. */
    seesNo: (words: string, within = "body") =>
      expect(async () => {
        expect(await driver.run<string>(call(wordsOf, within))).not.toContain(words);
      }).toPass(),
    /** Waits until something of this name is there, or is not. */
    has: (role: Role, name: Name, within?: string, isThere = true) =>
      expect(async () => {
        const found = await driver.run<boolean>(
          `!!${call(locate, role, plain(name), within ?? "body", null)}`,
        );
        expect(found, `${role} ${name}`).toBe(isThere);
      }).toPass(),
    /** Waits until the page at this path, with its query, is loaded with its scripts. */
    isAt: (path: Name) =>
      expect(async () => {
        const now = await driver.run<string>(
          "document.readyState === 'complete' && location.pathname + location.search",
        );
        if (typeof path === "string") expect(now).toBe(path);
        else expect(now).toMatch(path);
      }).toPass(),
    /** Waits until what is focused has this name. */
    isFocused: (role: Role, name: Name, within?: string) =>
      expect(async () => {
        expect(await driver.run(`${one(role, name, within)} === document.activeElement`)).toBe(
          true,
        );
      }).toPass(),
    /** A computed style of the first element that fits. */
    style: (selector: string, property: string) =>
      driver.run<string>(
        `getComputedStyle(document.querySelector(${json(selector)})).getPropertyValue(${json(property)})`,
      ),
  };
}

/** In the page: the visible text, its white space made single. */
function wordsOf(within: string): string {
  const parts = [...document.querySelectorAll<HTMLElement>(within)];
  // biome-ignore lint/performance/useDomNodeTextContent: hidden text is not seen
  return parts.map((part) => part.innerText.replace(/\s+/g, " ")).join(" ");
}

/**
 * In the page: the one element with this role and name. `isSeen`: whether it must be seen. null:
 * it may be missing, and must be seen if it is there.
 */
function locate(
  role: string,
  name: { text?: string; pattern?: string; flags?: string },
  within: string,
  isSeen: boolean | null,
): Element | null {
  const selectors: Record<string, string> = {
    button: "button, summary, [role=button]",
    link: "a[href]",
    field: "input:not([type=hidden]), textarea, select",
    heading: "h1, h2, h3, h4",
    slider: "input[type=range], [role=slider]",
  };
  const tidy = (text: string | null | undefined) => (text ?? "").replace(/\s+/g, " ").trim();
  // biome-ignore lint/performance/useDomNodeTextContent: hidden text is no part of a name
  const textIn = (element: Element) => (element as HTMLElement).innerText;
  const textOf = (ids: string) =>
    ids
      .split(" ")
      .map((id) => document.getElementById(id)?.textContent)
      .join(" ");
  const nameOf = (element: Element) => {
    const labelledBy = element.getAttribute("aria-labelledby");
    if (labelledBy) return tidy(textOf(labelledBy));
    const label = element.getAttribute("aria-label");
    if (label) return tidy(label);
    const { labels } = element as HTMLInputElement;
    if (labels?.length) return tidy([...labels].map(textIn).join(" "));
    return tidy(textIn(element));
  };
  const fits = (text: string) =>
    name.pattern === undefined
      ? text === name.text
      : new RegExp(name.pattern, name.flags).test(text);
  const isVisible = (element: Element) =>
    element.getClientRects().length > 0 && getComputedStyle(element).visibility === "visible";
  const found = [...document.querySelectorAll(within)]
    .flatMap((part) => [...part.querySelectorAll(selectors[role] ?? role)])
    .filter((element) => fits(nameOf(element)) && (isSeen === false || isVisible(element)));
  if (found.length === 0 && isSeen === null) return null;
  if (found.length !== 1 && isSeen !== null)
    throw new Error(`${found.length} of ${role} ${name.text ?? name.pattern} in ${within}`);
  return found[0] ?? null;
}

/** In the page: brings an element into sight. @throws where a press would not reach it */
function uncovered(element: HTMLElement): { x: number; y: number } {
  element.scrollIntoView({ block: "center", behavior: "instant" });
  const { left, top, width, height } = element.getBoundingClientRect();
  const point = { x: Math.round(left + width / 2), y: Math.round(top + height / 2) };
  const hit = document.elementFromPoint(point.x, point.y);
  if (!hit || !(element.contains(hit) || hit.closest("label")?.control === element))
    throw new Error(`covered by ${hit?.outerHTML.slice(0, 120)}`);
  if (element.matches(":disabled, [aria-disabled=true]")) throw new Error("is disabled");
  return point;
}
