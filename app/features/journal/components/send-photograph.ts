import { photographMessages, photographPath } from "../photograph-messages.ts";
import type { ShownPhotograph } from "../schema.ts";

/** Why one was not sent; `isFinal`: sending it again would not help. */
export type Fault = { message: string; isFinal: boolean; isSignedOut: boolean };
export type Outcome = { photograph: ShownPhotograph } | Fault;

const fault = (message: string, isFinal = false, isSignedOut = false): Fault => ({
  ...{ message, isFinal, isSignedOut },
});

type Sending = { id: string; userId: string; lessonId: string; file: File };

/** Never throws. An id that was stored before is not stored twice. */
export async function sendPhotograph({ id, userId, lessonId, file }: Sending): Promise<Outcome> {
  const body = new FormData();
  body.set("userId", userId);
  body.set("lessonId", lessonId);
  body.set("picture", file);
  try {
    const answer = await ask(id, "POST", body);
    if (answer.ok) return { photograph: await answer.json() };
    if (answer.status === 401) return fault(photographMessages.signedOut, false, true);
    const { error } = await answer.json();
    return fault(error.message, answer.status < 500 && answer.status !== 429);
  } catch {
    return fault(photographMessages.unreachable);
  }
}

/** @returns why it was not deleted; null when it is */
export async function deleteSent(id: string): Promise<string | null> {
  try {
    const { ok, status } = await ask(id, "DELETE");
    if (ok) return null;
    return status === 401 ? photographMessages.deleteSignedOut : photographMessages.failed;
  } catch {
    return photographMessages.deleteUnreachable;
  }
}

const ask = (id: string, method: string, body: FormData | null = null) =>
  fetch(photographPath(id), { method, body, headers: { Accept: "application/json" } });
