import { parentPort } from "node:worker_threads";
import { TooMuch } from "./bounds.ts";
import { type EmailImages, type EmailTree, markdownToEmailTree } from "./mail.ts";
import { type MarkdownImages, type MarkdownUse, markdownToHtml } from "./render.ts";

/* Runs in the thread of renderer.ts, as a file of its own in the build (vite.config.ts). */

export type RenderRequest = { markdown: string } & (
  | { images: MarkdownImages; use: MarkdownUse; mailOrigin: null }
  | { images: EmailImages; mailOrigin: string }
);
export type RenderResult =
  | { is: "html"; html: string }
  | { is: "mail"; tree: EmailTree }
  | { is: TooMuch["reason"] }
  | { is: "failed"; error: unknown };

async function answer(asked: RenderRequest): Promise<RenderResult> {
  const { markdown } = asked;
  try {
    if (asked.mailOrigin === null)
      return { is: "html", html: await markdownToHtml(markdown, asked.images, asked.use) };
    return {
      is: "mail",
      tree: await markdownToEmailTree(markdown, asked.mailOrigin, asked.images),
    };
  } catch (error) {
    if (error instanceof TooMuch) return { is: error.reason };
    // The parser recurses into nested syntax.
    if (error instanceof RangeError) return { is: "nested" };
    return { is: "failed", error };
  }
}

parentPort?.on("message", async (question: RenderRequest) =>
  parentPort?.postMessage(await answer(question)),
);
// After loading the libraries, which must not count against a text's time.
parentPort?.postMessage("ready");
