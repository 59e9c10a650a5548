import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const taking = `
  import { freePort } from ${JSON.stringify(new URL("../support/port.ts", import.meta.url).href)};
  const ports = [];
  for (let i = 0; i < 250; i += 1) ports.push(await freePort());
  process.stdout.write(JSON.stringify(ports));
  process.stdin.resume().once("end", () => process.exit());
`;

/** A process that holds 250 ports until its standard input ends. */
function holder() {
  const promise = promisify(execFile)(process.execPath, ["--input-type=module", "-e", taking]);
  return {
    ports: new Promise<number[]>((resolve) =>
      promise.child.stdout?.once("data", (part) => resolve(JSON.parse(String(part)))),
    ),
    async letGo() {
      promise.child.stdin?.end();
      await promise;
    },
  };
}

test("no two test processes are given the same port, and none that a connection may take", {
  timeout: 120_000,
}, async () => {
  const holders = [holder(), holder(), holder()];
  const ports = (await Promise.all(holders.map((one) => one.ports))).flat();
  await Promise.all(holders.map((one) => one.letGo()));
  expect(ports).toHaveLength(750);
  expect(new Set(ports).size).toBe(750);
  // Outgoing connections have theirs from 32768 on.
  expect(Math.max(...ports)).toBeLessThan(32_768);
});
