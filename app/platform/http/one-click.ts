import { isSameOrigin } from "./security.ts";

/**
 * Whether a POST is a mail program's 'unsubscribe' (RFC 8058): from elsewhere than our own pages,
 * and its form, in either encoding, is the one pair that the header List-Unsubscribe-Post names.
 * Reads the body of what comes from elsewhere.
 */
export async function isOneClick(request: Request, appUrl: string): Promise<boolean> {
  if (isSameOrigin(request, appUrl)) return false;
  try {
    const [pair, ...more] = await request.formData();
    return pair?.[0] === "List-Unsubscribe" && pair[1] === "One-Click" && more.length === 0;
  } catch {
    return false;
  }
}

/** What the mail program is told; hardly anybody reads it. */
export function oneClickAnswer(done: boolean): Response {
  return done
    ? new Response("You are unsubscribed.")
    : new Response("This link is not one of ours.", { status: 400 });
}
