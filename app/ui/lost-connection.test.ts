import { afterEach, expect, test, vi } from "vitest";
import { pressInstrumentation, watchConnection } from "./lost-connection.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type Navigate = (call: () => Promise<void>, info: { formMethod?: string }) => Promise<void>;

/** A page whose controls are pressed and whose router navigates as the test says. */
function openPage() {
  vi.useFakeTimers();
  const handlers: Record<string, (event: unknown) => void> = {};
  vi.stubGlobal("addEventListener", (type: string, handler: (event: unknown) => void) => {
    handlers[type] = handler;
  });
  vi.stubGlobal("document", { addEventListener() {} });
  vi.stubGlobal("window", { fetch });
  watchConnection();
  let navigate: Navigate | undefined;
  const instrument = (handlers: { navigate: Navigate }) => {
    navigate = handlers.navigate;
  };
  pressInstrumentation.router?.({ instrument } as never);
  return {
    /** @returns whether the press reached the page */
    press(control: object): boolean {
      const drop = vi.fn();
      const target = { closest: () => control };
      handlers.click?.({ target, preventDefault: drop, stopImmediatePropagation() {} });
      return drop.mock.calls.length === 0;
    },
    navigate: (until: Promise<void>) => navigate?.(() => until, {}),
  };
}

function createControl() {
  const marks = new Set<string>();
  return { marks, setAttribute: marks.add.bind(marks), removeAttribute: marks.delete.bind(marks) };
}

test("a press that begins a navigation is marked, and dropped the second time, until it ends", async () => {
  const { press, navigate } = openPage();
  const link = createControl();
  const { promise, resolve } = Promise.withResolvers<void>();
  expect(press(link)).toBe(true);
  const ended = navigate(promise);
  expect([...link.marks]).toEqual(["data-pending"]);
  expect(press(link)).toBe(false);
  resolve();
  await ended;
  expect([...link.marks]).toEqual([]);
  expect(press(link)).toBe(true);
});

test("a press that began no navigation is not the cause of a later one", async () => {
  const { press, navigate } = openPage();
  const play = createControl();
  expect(press(play)).toBe(true);
  await vi.runAllTimersAsync();
  void navigate(new Promise(() => {}));
  expect([...play.marks]).toEqual([]);
  expect(press(play)).toBe(true);
});
