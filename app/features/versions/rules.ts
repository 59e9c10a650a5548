/** A number of a version or revision, as an address or a form has it; null for anything else. */
export const versionNumber = (text: string | null | undefined) =>
  /^\d{1,9}$/.test(text ?? "") ? Number(text) : null;
