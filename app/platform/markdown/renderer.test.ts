import { execFile } from "node:child_process";
import { performance } from "node:perf_hooks";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import { MarkdownRefused } from "./refusal.ts";
import { renderEmailTree, renderMarkdown } from "./renderer.ts";

// Two seconds of work take long on a machine with other work.
vi.setConfig({ testTimeout: 60_000 });

const refused = (reason: string) => expect.objectContaining({ reason });
/** Would take half a minute. */
const brackets = "[".repeat(40_000) + "]".repeat(40_000);

test("renderMarkdown: ends a text that takes too much work while the program goes on, and goes on", async () => {
  const before = performance.eventLoopUtilization();
  const [long, short] = await Promise.allSettled([
    renderMarkdown(brackets),
    renderMarkdown("Some *words*."),
  ]);
  const { utilization } = performance.eventLoopUtilization(before);
  expect(long).toMatchObject({ reason: refused("slow") });
  expect(String((long as PromiseRejectedResult).reason.message)).toContain(
    "it has the sign [ 40,000 times",
  );
  expect(short).toMatchObject({ value: "<p>Some <em>words</em>.</p>" });
  // In this thread it would be 1.
  expect(utilization).toBeLessThan(0.5);
});

test("renderMarkdown: ends a text that takes too much memory", async () => {
  const refusal = renderMarkdown("- water\n- a walk\n".repeat(17_000));
  await expect(refusal).rejects.toEqual(refused("slow"));
  expect(await renderMarkdown("a")).toBe("<p>a</p>");
});

test("renderMarkdown: says how a text is too deep", async () => {
  const refusal = renderMarkdown(`${">".repeat(300)} x`);
  await expect(refusal).rejects.toThrow(MarkdownRefused);
  await expect(refusal).rejects.toThrow("inside each other");
});

test("renderMarkdown: refuses a text when many wait; renderMailTree waits", async () => {
  const asked = Array.from({ length: 12 }, () => renderMarkdown("a"));
  const tree = renderEmailTree("a", "https://b.example");
  const answers = await Promise.allSettled(asked);
  const busy = answers.filter(({ status }) => status === "rejected");
  expect(busy.length).toBeGreaterThan(0);
  for (const one of busy) expect(one).toMatchObject({ reason: { code: "unavailable" } });
  expect(answers.slice(0, 8).every(({ status }) => status === "fulfilled")).toBe(true);
  expect(await tree).toMatchObject({ type: "root" });
});

test("renderMarkdown: its thread lets a program end", async () => {
  const module = JSON.stringify(new URL("./renderer.ts", import.meta.url));
  const program = `import(${module}).then(async (m) => console.log(await m.renderMarkdown("a")))`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--eval", program], {
    timeout: 20_000,
  });
  expect(stdout).toBe("<p>a</p>\n");
});
