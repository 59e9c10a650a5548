import type { EngineName } from "../../../scripts/engines.ts";

/** The keys that journeys press, beside letters. */
export type Key = "Tab" | "Enter" | "Escape" | "Space" | "Home" | "ArrowRight" | "SelectAll";

/**
 * What the library of each engine does for the page object (page.ts). Everything else is done in
 * the page by `run`, which works where the page's own scripts are switched off, too.
 */
export type Driver = {
  /** Opens an address, and waits until the document has loaded. */
  open(url: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  /** What an expression comes to in the page, as JSON has it. Throws while another page comes. */
  run<T>(expression: string): Promise<T>;
  /** Presses the mouse at this point of the window. */
  click(x: number, y: number): Promise<void>;
  type(text: string): Promise<void>;
  press(key: Key): Promise<void>;
  /** Chooses a file in the input that this expression comes to. */
  choose(expression: string, file: string): Promise<void>;
  /** The size of what is seen of the page, in CSS pixels. */
  resize(width: number, height: number): Promise<void>;
  /** Of the page that is open. */
  setCookie(name: string, value: string): Promise<void>;
  screenshot(): Promise<Buffer>;
  /** The page as a PDF; null where the engine's driver cannot print. */
  print(): Promise<Buffer | null>;
  /** What pages complained about since the last call: errors of scripts, and of the console. */
  complaints(): string[];
  close(): Promise<void>;
};

/** A browser that runs, at night and without movement. */
export type Engine = {
  name: EngineName;
  /** A new window without cookies, storage and history. */
  window(): Promise<Driver>;
  close(): Promise<void>;
};

/** `scripts: false` switches off the scripts of pages. */
export type EngineOptions = { scripts: boolean };
