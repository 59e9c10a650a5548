import { isSameOrigin } from "./security.ts";

/** RFC 8058: a cross-site POST of the pair that List-Unsubscribe-Post names. Reads the body. */
export async function isOneClick(request: Request, appUrl: string): Promise<boolean> {
  if (isSameOrigin(request, appUrl)) return false;
  try {
    const [pair, ...more] = await request.formData();
    return pair?.[0] === "List-Unsubscribe" && pair[1] === "One-Click" && more.length === 0;
  } catch {
    return false;
  }
}

export function oneClickAnswer(done: boolean): Response {
  return done
    ? new Response("You are unsubscribed.")
    : new Response("This link is not one of ours.", { status: 400 });
}
