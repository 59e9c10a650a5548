import { data } from "react-router";
import { errorResponse, Refused, statusOf, wantsJson } from "../utils/errors.ts";
import { plainPage } from "./plain-page.ts";

/** @throws a 400 answer when the body is no form */
export async function readForm(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    throw data(null, 400);
  }
}

export async function formFields(request: Request): Promise<Record<string, string | undefined>> {
  const fields: Record<string, string> = {};
  // PostgreSQL stores no NUL, and none of our fields needs one.
  for (const [name, value] of await readForm(request))
    if (typeof value === "string") fields[name] = value.replaceAll("\0", "");
  return fields;
}

/** JSON for a script, else a page to go back from: the browser then restores what was typed. */
export function refusedForm(request: Request, error: unknown): Response {
  if (!(error instanceof Refused)) throw error;
  if (wantsJson(request)) return errorResponse(error.code, error.message);
  const text = `${error.message} Your browser’s back button brings back what you wrote.`;
  return plainPage(statusOf[error.code], "That was not saved", text);
}
