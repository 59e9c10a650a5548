import { parentPort } from "node:worker_threads";
import { TooMuch } from "./bounds.ts";
import { type MailTree, markdownToMailTree } from "./mail.ts";
import { markdownToHtml } from "./render.ts";

/* What runs in the thread of renderer.ts. The build makes a file of its own of it (vite.config.ts). */

/** With `mailOrigin`, a tree for an email is asked for, else HTML. */
export type Question = { markdown: string; mailOrigin: string | null };
export type Answer =
  | { is: "html"; html: string }
  | { is: "mail"; tree: MailTree }
  | { is: TooMuch["reason"] }
  | { is: "failed"; error: unknown };

async function answer({ markdown, mailOrigin }: Question): Promise<Answer> {
  try {
    if (mailOrigin === null) return { is: "html", html: await markdownToHtml(markdown) };
    return { is: "mail", tree: await markdownToMailTree(markdown, mailOrigin) };
  } catch (error) {
    if (error instanceof TooMuch) return { is: error.reason };
    // The parser goes into what stands inside each other with one call each.
    if (error instanceof RangeError) return { is: "nested" };
    return { is: "failed", error };
  }
}

parentPort?.on("message", async (question: Question) =>
  parentPort?.postMessage(await answer(question)),
);
// Loading the libraries is no part of anybody's time.
parentPort?.postMessage("ready");
