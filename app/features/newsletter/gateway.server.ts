import { PermanentFailure } from "~/platform/jobs/job.ts";
import type { Signup } from "./schema.ts";

/** How long the provider may take to answer, in milliseconds. */
const patienceMs = 10_000;

/**
 * Posts a signup to the provider's form, as a browser would (spec 7, Newsletter). A redirect
 * is the provider's thank-you page: it is success, and nobody goes there; unless it says that the
 * form itself is elsewhere now (https instead of http, say): then it has taken nothing. 307 and
 * 308 say to post it elsewhere, which is done once, on the same origin or by https.
 * @throws {PermanentFailure} when the provider refuses these words (400, 422)
 * @throws when it is worth trying again: no connection, no answer in time, anything else but 2xx and 3xx
 */
export async function postSignup(
  formUrl: string,
  { firstName, email }: Signup,
  patience = patienceMs,
): Promise<void> {
  const body = new FormData();
  body.set("fields[first_name]", firstName);
  body.set("email_address", email);
  const signal = AbortSignal.timeout(patience);
  const first = await post(formUrl, body, signal);
  const onward = sentOn(formUrl, first);
  const { status, headers } = onward ? await post(onward, body, signal) : first;
  if (hasMoved(onward ?? formUrl, { status, headers }))
    throw new Error("the newsletter provider's form has moved");
  if (status >= 200 && status < 400) return;
  // The answer's words may repeat what was sent, and are not kept.
  const message = `the newsletter provider answered ${status}`;
  throw status === 400 || status === 422 ? new PermanentFailure(message) : new Error(message);
}

type Answer = Pick<Response, "status" | "headers">;

async function post(url: string, body: FormData, signal: AbortSignal): Promise<Answer> {
  const response = await fetch(url, { method: "POST", body, redirect: "manual", signal });
  await response.body?.cancel();
  return response;
}

/** Where an answer leads, if anywhere. */
function locationOf(formUrl: string, { status, headers }: Answer): URL | null {
  const location = headers.get("location");
  return status >= 300 && status < 400 && location ? URL.parse(location, formUrl) : null;
}

function sentOn(formUrl: string, answer: Answer): string | null {
  const to = answer.status === 307 || answer.status === 308 ? locationOf(formUrl, answer) : null;
  return to && (to.protocol === "https:" || to.origin === new URL(formUrl).origin) ? to.href : null;
}

/** Back to the form's own page is thanks, too; to the same page of another origin, or for good, is not. */
function hasMoved(formUrl: string, answer: Answer): boolean {
  const { status } = answer;
  if (status === 307 || status === 308) return true;
  const to = locationOf(formUrl, answer);
  if (!to) return false;
  const from = new URL(formUrl);
  const isSamePath = trimmed(from.pathname) === trimmed(to.pathname);
  return isSamePath && (status === 301 || from.origin !== to.origin);
}

const trimmed = (path: string) => path.replace(/\/+$/, "");
