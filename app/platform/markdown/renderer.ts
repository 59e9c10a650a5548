import { once } from "node:events";
import path from "node:path";
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import { projectRoot } from "../utils/version.ts";
import type { EmailImages, EmailRecordings, EmailTree } from "./mail.ts";
import { MarkdownRefused } from "./refusal.ts";
import type { MarkdownImages, MarkdownRecordings, MarkdownUse } from "./render.ts";
import type { RenderRequest, RenderResult } from "./thread.ts";

// CPU time in ms: wall-clock time would refuse ordinary lessons on a busy machine.
const maxWork = 2_000;
// Wall-clock time in ms, for whatever keeps the thread from working.
const maxWait = 20_000;
const lookEvery = 100;
const maxWaiting = 8;
// The thread takes 30 MB: it stays while a coach writes, and a quiet site does without.
const idleTime = 60_000;
// The longest lesson of ordinary text, 300,000 characters, needs 64 and 8.
const memory = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8 };

const turns = pLimit(1);
let thread: Worker | null = null;
let idle: NodeJS.Timeout | undefined;

/** Made in a thread. @throws {MarkdownRefused} when many wait, or for too long or too much work */
export async function renderMarkdown(
  markdown: string,
  images: MarkdownImages = {},
  use: MarkdownUse = "lesson",
  recordings: MarkdownRecordings = {},
): Promise<string> {
  if (turns.pendingCount >= maxWaiting) throw new MarkdownRefused("busy", markdown);
  const answer = await ask({ markdown, images, use, recordings, mailOrigin: null });
  if (answer.is !== "html") throw new Error(`the answer is ${answer.is}`);
  return answer.html;
}

/** Waits as long as it takes: emails are made a few at a time. @throws {MarkdownRefused} */
export async function renderEmailTree(
  markdown: string,
  origin: string,
  images: EmailImages = {},
  recordings: EmailRecordings = {},
): Promise<EmailTree> {
  const answer = await ask({ markdown, images, recordings, mailOrigin: origin });
  if (answer.is !== "mail") throw new Error(`the answer is ${answer.is}`);
  return answer.tree;
}

function ask(question: RenderRequest) {
  return turns(async () => {
    const answer = await answerTo(question);
    if (answer.is === "failed") throw answer.error;
    if (answer.is === "nested" || answer.is === "large" || answer.is === "slow")
      throw new MarkdownRefused(answer.is, question.markdown);
    return answer;
  });
}

async function answerTo(question: RenderRequest): Promise<RenderResult | { is: "slow" }> {
  clearTimeout(idle);
  const asked = thread ?? (await startThread());
  thread = null;
  // A request that waits for the answer keeps the process alive.
  asked.ref();
  const watch = await watchOver(asked);
  try {
    asked.postMessage(question);
    const [answer] = (await once(asked, "message", { signal: watch.signal })) as [RenderResult];
    keep(asked);
    return answer;
  } catch (error) {
    await asked.terminate();
    const isOver = watch.signal.aborted || (error as { code?: unknown }).code === outOfMemory;
    if (!isOver) throw error;
    return { is: "slow" };
  } finally {
    watch.stop();
  }
}

const outOfMemory = "ERR_WORKER_OUT_OF_MEMORY";

// The built site has the thread as a file of its own; elsewhere Node runs the source.
async function startThread(): Promise<Worker> {
  const isSource = import.meta.filename.endsWith(".ts");
  const file = isSource
    ? path.join(import.meta.dirname, "thread.ts")
    : path.join(projectRoot, "build", "server", "markdown-thread.js");
  const started = new Worker(file, { resourceLimits: memory });
  await once(started, "message");
  // A thread that ends while idle must not end the process; the next text gets a new one.
  started.on("error", () => {
    if (thread === started) thread = null;
  });
  return started;
}

async function watchOver(asked: Worker) {
  const before = await asked.cpuUsage();
  const end = performance.now() + maxWait;
  const abort = new AbortController();
  const timer = setInterval(async () => {
    if (performance.now() > end) return abort.abort();
    const spent = await asked.cpuUsage(before).catch(() => null);
    if (spent && spent.user + spent.system > maxWork * 1_000) abort.abort();
  }, lookEvery);
  return { signal: abort.signal, stop: () => clearInterval(timer) };
}

function keep(asked: Worker): void {
  asked.unref();
  thread = asked;
  idle = setTimeout(() => {
    thread = null;
    void asked.terminate();
  }, idleTime).unref();
}
