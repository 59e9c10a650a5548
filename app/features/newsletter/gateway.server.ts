import { PermanentFailure } from "~/platform/jobs/job.ts";
import type { Signup } from "./schema.ts";

/** How long the provider may take to answer, in milliseconds. */
const patienceMs = 10_000;

/**
 * Posts a signup to the provider's form, as a browser would (spec 7, Newsletter). A redirect
 * is the provider's thank-you page: it is success, and nobody goes there; unless it says that the
 * form itself is elsewhere (https instead of http, say, or 307 and 308): then it has taken nothing.
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
  const response = await fetch(formUrl, {
    method: "POST",
    body,
    redirect: "manual",
    signal: AbortSignal.timeout(patience),
  });
  await response.body?.cancel();
  const { status } = response;
  if (hasMoved(formUrl, response)) throw new Error("the newsletter provider's form has moved");
  if (status >= 200 && status < 400) return;
  // The answer's words may repeat what was sent, and are not kept.
  const message = `the newsletter provider answered ${status}`;
  throw status === 400 || status === 422 ? new PermanentFailure(message) : new Error(message);
}

/** Back to the form's own page is thanks, too; to the same page of another origin, or for good, is not. */
function hasMoved(formUrl: string, { status, headers }: Response): boolean {
  const location = headers.get("location");
  if (status < 300 || status >= 400 || !location || !URL.canParse(location, formUrl)) return false;
  const [from, to] = [new URL(formUrl), new URL(location, formUrl)];
  const isSamePath = trimmed(from.pathname) === trimmed(to.pathname);
  return (
    status === 307 ||
    status === 308 ||
    (isSamePath && (status === 301 || from.origin !== to.origin))
  );
}

const trimmed = (path: string) => path.replace(/\/+$/, "");
