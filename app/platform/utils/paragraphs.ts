/** Splits a plain text into paragraphs at empty lines. */
export function paragraphsOf(text: string | null): string[] {
  return (text ?? "")
    .split(/\r?\n\s*\r?\n/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
