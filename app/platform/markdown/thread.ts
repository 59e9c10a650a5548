import { parentPort } from "node:worker_threads";
import { TooMuch } from "./bounds.ts";
import {
  type EmailImages,
  type EmailRecordings,
  type EmailTree,
  markdownToEmailTree,
} from "./mail.ts";
import {
  type MarkdownImages,
  type MarkdownRecordings,
  type MarkdownUse,
  markdownToHtml,
} from "./render.ts";

/* Runs in the thread of renderer.ts, as a file of its own in the build (vite.config.ts). */

type PageRequest = { images: MarkdownImages; use: MarkdownUse; recordings: MarkdownRecordings };
type EmailRequest = { images: EmailImages; recordings: EmailRecordings };
export type RenderRequest = { markdown: string } & (
  | (PageRequest & { mailOrigin: null })
  | (EmailRequest & { mailOrigin: string })
);
export type RenderResult =
  | { is: "html"; html: string }
  | { is: "mail"; tree: EmailTree }
  | { is: TooMuch["reason"] }
  | { is: "failed"; error: unknown };

async function answer(asked: RenderRequest): Promise<RenderResult> {
  const { markdown } = asked;
  try {
    if (asked.mailOrigin === null) {
      const { images, use, recordings } = asked;
      return { is: "html", html: await markdownToHtml(markdown, images, use, recordings) };
    }
    const { images, recordings, mailOrigin } = asked;
    return {
      is: "mail",
      tree: await markdownToEmailTree(markdown, mailOrigin, images, recordings),
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
