import { meaningOf, retryDelay } from "../../panel/rules.ts";
import { troubles } from "../../panel/texts.ts";
import { wordsOf } from "./ask-site.ts";

/** Where uploads begin; each has its own address below. */
export const endpoint = "/uploads";

export const addressOf = (uploadId: string) => `${location.origin}${endpoint}/${uploadId}`;

/** What the body of a refusal says to her: our own sentence, in JSON or as it is, or a general one. */
export function wordsOfRefusal(body: string): string {
  try {
    return wordsOf(JSON.parse(body)) ?? troubles.failed;
  } catch {
    const isSentence = body.trim() !== "" && body.length < 500 && !body.includes("<");
    return isSentence ? body.trim() : troubles.failed;
  }
}

/** It may still be busy with its last piece. */
const tries = 6;

/** Takes away what has arrived of an upload. Twice is once. @returns whether nothing is left */
export async function terminate(uploadId: string): Promise<boolean> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const status = await sendDelete(uploadId);
    const meaning = status === 204 ? "gone" : meaningOf(status);
    if (meaning === "gone") return true;
    if (meaning !== "again") return false;
    await new Promise((resolve) => setTimeout(resolve, retryDelay(attempt)));
  }
  return false;
}

async function sendDelete(uploadId: string): Promise<number> {
  try {
    const headers = { "Tus-Resumable": "1.0.0" };
    const { status } = await fetch(addressOf(uploadId), { method: "DELETE", headers });
    return status;
  } catch {
    return 0;
  }
}
