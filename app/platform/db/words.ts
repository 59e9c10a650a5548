/** What is looked for in one name or address; the rest of a longer word is left out. */
const longestWord = 60;

/** Small letters, those of the Latin alphabet without their accents: 'Müller' is 'muller'. */
function fold(text: string): string {
  return text
    .normalize("NFD")
    .replace(/([A-Za-z])[\u0300-\u036f]+/g, "$1")
    .normalize("NFC")
    .toLowerCase();
}

/** The words of a text: runs of letters and digits, folded; all else is between them. */
export function wordsOf(text: string): string[] {
  return fold(text.toWellFormed())
    .split(/[^\p{L}\p{Nd}]+/u)
    .filter((word) => word !== "")
    .map((word) => [...word].slice(0, longestWord).join(""));
}

/** Whether each of the beginnings is that of a word of the text. */
export function hasBeginnings(text: string, beginnings: readonly string[]): boolean {
  const words = wordsOf(text);
  return beginnings.every((beginning) => words.some((word) => word.startsWith(beginning)));
}
