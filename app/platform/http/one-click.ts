/**
 * Whether a POST is a mail program's 'unsubscribe' (RFC 8058): its form, in either encoding, is
 * the one pair that the header List-Unsubscribe-Post names. Reads the body.
 */
export async function isOneClick(request: Request): Promise<boolean> {
  try {
    const [pair, ...more] = await request.formData();
    return pair?.[0] === "List-Unsubscribe" && pair[1] === "One-Click" && more.length === 0;
  } catch {
    return false;
  }
}
