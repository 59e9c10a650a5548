import { once } from "node:events";
import path from "node:path";
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import { projectRoot } from "../root.ts";
import type { MailTree } from "./mail.ts";
import { MarkdownRefused } from "./refusal.ts";
import type { Answer, Question } from "./thread.ts";

/**
 * Work of the thread's own on one text, in ms. Time on the clock would refuse ordinary lessons on a
 * machine that is busy.
 */
const maxWork = 2_000;
/** On the clock, in ms, for whatever keeps the thread from working. */
const maxWait = 20_000;
const lookEvery = 100;
/** Texts that wait while one is rendered. */
const maxWaiting = 8;
/** The thread has 30 MB: a coach who writes keeps it, and a quiet site does without. */
const idleTime = 60_000;
/** The longest lesson of ordinary text, 300,000 characters, gets along with 64 and 8. */
const memory = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8 };

const turns = pLimit(1);
let thread: Worker | null = null;
let idle: NodeJS.Timeout | undefined;

/**
 * Markdown (with tables, task lists and footnotes) as HTML without anything that could run, made
 * beside the pages, in a thread of its own.
 * @throws {MarkdownRefused} unavailable when many wait; invalid when it takes too long, or too much
 */
export async function renderMarkdown(markdown: string): Promise<string> {
  if (turns.pendingCount >= maxWaiting) throw new MarkdownRefused("busy", markdown);
  const answer = await ask({ markdown, mailOrigin: null });
  if (answer.is !== "html") throw new Error(`the answer is ${answer.is}`);
  return answer.html;
}

/**
 * The same as an email can show it (mail.ts). It waits for as long as it takes: emails are made a
 * few at a time.
 * @param origin what links within the site begin with
 * @throws {MarkdownRefused} invalid
 */
export async function renderMailTree(markdown: string, origin: string): Promise<MailTree> {
  const answer = await ask({ markdown, mailOrigin: origin });
  if (answer.is !== "mail") throw new Error(`the answer is ${answer.is}`);
  return answer.tree;
}

function ask(question: Question) {
  return turns(async () => {
    const answer = await answerTo(question);
    if (answer.is === "failed") throw answer.error;
    if (answer.is === "nested" || answer.is === "large" || answer.is === "slow")
      throw new MarkdownRefused(answer.is, question.markdown);
    return answer;
  });
}

/** One question at a time. A thread that takes too long, or too much memory, is ended. */
async function answerTo(question: Question): Promise<Answer | { is: "slow" }> {
  clearTimeout(idle);
  const asked = thread ?? (await startThread());
  thread = null;
  // Whoever has asked waits for the answer, and keeps the program alive as long.
  asked.ref();
  const watch = await watchOver(asked);
  try {
    asked.postMessage(question);
    const [answer] = (await once(asked, "message", { signal: watch.signal })) as [Answer];
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

/** The built site has the thread as a file of its own; elsewhere Node reads the source itself. */
async function startThread(): Promise<Worker> {
  const isSource = import.meta.filename.endsWith(".ts");
  const file = isSource
    ? path.join(import.meta.dirname, "thread.ts")
    : path.join(projectRoot, "build", "server", "markdown-thread.js");
  const started = new Worker(file, { resourceLimits: memory });
  await once(started, "message");
  // One that ends while nobody waits for it must not end the site: the next text gets another.
  started.on("error", () => {
    if (thread === started) thread = null;
  });
  return started;
}

/** Aborts when the thread has worked for too long since now. */
async function watchOver(asked: Worker) {
  const before = await asked.cpuUsage();
  const end = performance.now() + maxWait;
  const abort = new AbortController();
  const timer = setInterval(async () => {
    if (performance.now() > end) return abort.abort();
    // A thread that has just ended has no answer to this.
    const spent = await asked.cpuUsage(before).catch(() => null);
    if (spent && spent.user + spent.system > maxWork * 1_000) abort.abort();
  }, lookEvery);
  return { signal: abort.signal, stop: () => clearInterval(timer) };
}

/** Keeps a thread for the next text, unless that is long in coming. It keeps no program alive. */
function keep(asked: Worker): void {
  asked.unref();
  thread = asked;
  idle = setTimeout(() => {
    thread = null;
    void asked.terminate();
  }, idleTime).unref();
}
