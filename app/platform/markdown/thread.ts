import { parentPort } from "node:worker_threads";
import { TooMuch } from "./bounds.ts";
import { type EmailTree, markdownToEmailTree } from "./mail.ts";
import { type MarkdownImages, markdownToHtml } from "./render.ts";

/* Runs in the thread of renderer.ts, as a file of its own in the build (vite.config.ts). */

export type RenderRequest = {
  markdown: string;
  images: MarkdownImages;
  use: "lesson" | "page";
  mailOrigin: string | null;
};
export type RenderResult =
  | { is: "html"; html: string }
  | { is: "mail"; tree: EmailTree }
  | { is: TooMuch["reason"] }
  | { is: "failed"; error: unknown };

async function answer({ markdown, images, use, mailOrigin }: RenderRequest): Promise<RenderResult> {
  try {
    if (mailOrigin === null)
      return { is: "html", html: await markdownToHtml(markdown, images, use) };
    return { is: "mail", tree: await markdownToEmailTree(markdown, mailOrigin) };
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
