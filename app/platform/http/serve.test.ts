import { Agent } from "node:http";
import { setImmediate, setTimeout } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { testConfig } from "../../../tests/support/config.ts";
import { rawRequest } from "../../../tests/support/raw-request.ts";
import { serve } from "./serve.ts";

/** A server that takes what is sent and answers a little later. */
async function open() {
  const config = await testConfig(undefined);
  const server = await serve((incoming, outgoing) => {
    incoming.resume().once("end", () => setImmediate().then(() => outgoing.end("done")));
  }, config);
  return { ...server, url: `http://${config.host}:${server.port}` };
}

test("a server that leaves answers all the same, ends each connection, and says so at /healthz", async () => {
  const { url, leave, close } = await open();
  const agent = new Agent({ keepAlive: true });
  expect((await rawRequest(url, { path: "/", agent })).headers.connection).toBe("keep-alive");
  const left = leave();
  const health = await rawRequest(url, { path: "/healthz" });
  expect([health.status, JSON.parse(health.body)]).toEqual([503, { status: "stopping" }]);
  const page = await rawRequest(url, { path: "/", agent });
  expect([page.status, page.headers.connection]).toEqual([200, "close"]);
  await left;
  await close();
  await expect(rawRequest(url, { path: "/" })).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("a client that hears of it in time loses no request", async () => {
  const { url, leave, close } = await open();
  const lost: unknown[] = [];
  let answered = 0;
  /** As a proxy does: asks over its connection until told that this was the last answer on it. */
  async function client(number: number) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let turn = number, told = false; !told; turn += 1) {
      const form = { method: "POST", path: "/form", body: Buffer.from("words"), agent };
      const answer = await rawRequest(url, turn % 3 ? { path: "/", agent } : form).catch(
        (error: unknown) => {
          lost.push(error);
          return null;
        },
      );
      told = answer?.headers.connection !== "keep-alive";
      answered += 1;
      await setTimeout((turn * 7) % 30);
    }
    agent.destroy();
  }
  const clients = Array.from({ length: 40 }, (_, number) => client(number));
  await vi.waitFor(() => expect(answered).toBeGreaterThan(400), { timeout: 20_000 });
  await leave();
  await close();
  await Promise.all(clients);
  expect(lost).toEqual([]);
});

test("an unused connection is not waited for", async () => {
  const { url, leave, close } = await open();
  const agent = new Agent({ keepAlive: true });
  await rawRequest(url, { path: "/", agent });
  const start = performance.now();
  await leave();
  await close();
  expect(performance.now() - start).toBeLessThan(1400);
  agent.destroy();
});
