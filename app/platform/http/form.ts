import { data } from "react-router";

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
