import { afterAll, beforeAll } from "vitest";

/** Is open for all tests of a file or of a `describe`, and can be named before it is. */
export function openForTests<T extends { close(): Promise<unknown> }>(open: () => Promise<T>): T {
  const opened = {} as T;
  beforeAll(async () => {
    Object.assign(opened, await open());
  });
  afterAll(() => opened.close());
  return opened;
}
