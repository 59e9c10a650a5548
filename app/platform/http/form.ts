import { data } from "react-router";
import { errorResponse, Refused, statusOf, wantsJson } from "./errors.ts";
import { plainPage } from "./plain-page.ts";

/** The form of a request. @throws a 400 answer when what was sent is no form */
export async function readForm(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    throw data(null, 400);
  }
}

/** The text fields of a form; files and repeated names are not for this. */
export async function formFields(request: Request): Promise<Record<string, string | undefined>> {
  const fields: Record<string, string> = {};
  // PostgreSQL takes no NUL, and no field of ours has a use for one.
  for (const [name, value] of await readForm(request))
    if (typeof value === "string") fields[name] = value.replaceAll("\0", "");
  return fields;
}

/**
 * The answer of an address that is no page to a form that it refuses: JSON for a script; else a
 * page that leads back, since the browser then brings back what was typed. Messages are ours and
 * hold nothing of the caller's.
 * @throws whatever is no refusal
 */
export function refusedForm(request: Request, error: unknown): Response {
  if (!(error instanceof Refused)) throw error;
  if (wantsJson(request)) return errorResponse(error.code, error.message);
  const text = `${error.message} Your browser’s back button brings back what you wrote.`;
  return plainPage(statusOf[error.code], "That was not kept", text);
}
