import { makeZip } from "client-zip";
import { expect, test } from "vitest";
import { limitConcurrency } from "./limits.ts";
import { streamed, streamedHere, withStreamed } from "./stream.ts";

/** Parts that are counted as they are made. */
function counted(many = Number.POSITIVE_INFINITY) {
  const seen = { made: 0, isClosed: false };
  async function* parts() {
    try {
      for (; seen.made < many; seen.made += 1) yield `part ${seen.made}`;
    } finally {
      seen.isClosed = true;
    }
  }
  return { seen, parts };
}

test("a part is made when it is asked for, and the end is reported once", async () => {
  const { seen, parts } = counted(2);
  const ends: string[] = [];
  const stream = streamed(parts(), { end: () => void ends.push("end") });
  expect(seen.made).toBe(0);
  expect(await new Response(stream).text()).toBe("part 0part 1");
  expect(ends).toHaveLength(1);
});

test("a client that leaves ends it, and nothing more is made", async () => {
  const { seen, parts } = counted();
  const ends: string[] = [];
  const reader = streamed(parts(), { end: () => void ends.push("end") }).getReader();
  await reader.read();
  await reader.cancel();
  expect(seen).toMatchObject({ made: 0, isClosed: true });
  expect(ends).toHaveLength(1);
});

test("what goes wrong in the middle breaks it off", async () => {
  async function* parts() {
    yield "half";
    throw new Error("the database is gone");
  }
  const ends: string[] = [];
  const stream = streamed(parts(), { end: () => void ends.push("end") });
  await expect(new Response(stream).text()).rejects.toThrow("the database is gone");
  expect(ends).toHaveLength(1);
});

test("a client that reads too slowly loses its slot and the rest", async () => {
  const { seen, parts } = counted();
  const over = Promise.withResolvers<void>();
  const reader = streamed(parts(), { end: over.resolve, limitMs: 1 }).getReader();
  await reader.read();
  await over.promise;
  await expect(reader.read()).rejects.toThrow("not taken in time");
  await expect.poll(() => seen.isClosed).toBe(true);
});

test("a zip that is not taken in time brings nothing else down", async () => {
  async function* files() {
    for (;;) yield { name: "a", input: "words", lastModified: new Date(0) };
  }
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  const over = Promise.withResolvers<void>();
  const reader = streamed(makeZip(files()), { end: over.resolve, limitMs: 1 }).getReader();
  await reader.read();
  await over.promise;
  await expect(reader.read()).rejects.toThrow("not taken in time");
  // Unhandled rejections are reported after the tasks of this turn.
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

test.each([
  ["before the answer is begun", true],
  ["after it", false],
])("a client that is gone %s keeps no slot", async (_, isEarly) => {
  const { seen, parts } = counted();
  const ends: string[] = [];
  const request = new AbortController();
  if (isEarly) request.abort();
  const { signal } = request;
  const reader = streamed(parts(), { end: () => void ends.push("end"), signal }).getReader();
  request.abort();
  expect(ends).toHaveLength(1);
  await expect(reader.read()).rejects.toThrow("is gone");
  expect(seen.made).toBe(0);
});

test("a page without the marker is sent as it is; without a free slot: 503", async () => {
  const { parts } = counted(1);
  const ok = { status: 200, headers: new Headers() };
  const places = limitConcurrency({ each: 1, all: 1 });
  const part = { parts: parts(), begin: () => places.begin("she") };
  expect(await withStreamed("an error", part, ok).text()).toBe("an error");
  const first = withStreamed(`<p>${streamedHere}</p>`, part, ok);
  const second = withStreamed(`<p>${streamedHere}</p>`, part, ok);
  expect(second.status).toBe(503);
  expect(await first.text()).toBe("<p>part 0</p>");
  expect(places.begin("she")).not.toBeNull();
});
