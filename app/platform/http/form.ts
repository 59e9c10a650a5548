/** The text fields of a form; files and repeated names are not for this. */
export async function formFields(request: Request): Promise<Record<string, string | undefined>> {
  const fields: Record<string, string> = {};
  for (const [name, value] of await request.formData())
    if (typeof value === "string") fields[name] = value;
  return fields;
}
