const longestWord = 60;

// Lowercase, and Latin letters without their accents: 'Müller' is 'muller'.
function fold(text: string): string {
  return text
    .normalize("NFD")
    .replace(/([A-Za-z])[\u0300-\u036f]+/g, "$1")
    .normalize("NFC")
    .toLowerCase();
}

export function searchWords(text: string): string[] {
  return fold(text.toWellFormed())
    .split(/[^\p{L}\p{Nd}]+/u)
    .filter((word) => word !== "")
    .map((word) => [...word].slice(0, longestWord).join(""));
}

export function hasBeginnings(text: string, beginnings: readonly string[]): boolean {
  const words = searchWords(text);
  return beginnings.every((beginning) => words.some((word) => word.startsWith(beginning)));
}
