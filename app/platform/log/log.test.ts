import { Writable } from "node:stream";
import pino from "pino";
import { expect, test } from "vitest";
import { logRefusal } from "./log.ts";

/** A log whose lines can be read. */
function readableLog() {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, next) {
      const { kind, where, unwritten, msg } = JSON.parse(chunk.toString());
      lines.push({ kind, where, unwritten, msg });
      next();
    },
  });
  return { log: pino(stream), lines };
}

test("a flood of one kind is twenty lines a minute, and then how many there were beside them", () => {
  const { log, lines } = readableLog();
  for (let n = 0; n < 1_000; n += 1) logRefusal(log, "limit", "sign-in-network", n);
  logRefusal(log, "origin", "/newsletter", 1_000);
  expect(lines.map(({ kind }) => kind)).toEqual([...Array(20).fill("limit"), "origin"]);
  logRefusal(log, "limit", "export", 60_000);
  logRefusal(log, "limit", "export", 60_001);
  expect(lines.slice(-2)).toEqual([
    { kind: "limit", where: "export", unwritten: 980, msg: "refused" },
    { kind: "limit", where: "export", unwritten: undefined, msg: "refused" },
  ]);
});
