/** What is tried first, in small letters. */
export type Commonest = {
  /** Whole passwords. */
  passwords: ReadonlySet<string>;
  /** Words of letters alone, which people make a password of with a digit or a sign at their ends. */
  words: ReadonlySet<string>;
};

/** Shorter parts of names would say no to too much. */
const shortestOwn = 3;

/**
 * Whether somebody who guesses would find a password early: it is one of the commonest, in whatever
 * letters; one of the commonest words with something in front or behind; or it is made of nothing
 * but `own` words, such as names (OWASP ASVS 5.0, V6.2.4 and V6.2.11).
 */
export function isGuessable(
  password: string,
  { passwords, words }: Commonest,
  own: readonly string[],
): boolean {
  const small = password.toLowerCase();
  const core = small.replaceAll(/^\P{L}+|\P{L}+$/gu, "");
  return passwords.has(small) || words.has(core) || isMadeOf(lettersOf(small), partsOf(own));
}

const lettersOf = (text: string) => text.replaceAll(/\P{L}/gu, "");

/** The words in names and addresses: 'Ada.Lovelace@example.com' has four. */
const partsOf = (own: readonly string[]) =>
  own
    .flatMap((text) => text.toLowerCase().split(/\P{L}+/u))
    .filter((part) => part.length >= shortestOwn);

function isMadeOf(text: string, parts: readonly string[]): boolean {
  const ends = new Set([0]);
  for (let at = 0; at < text.length; at += 1)
    if (ends.has(at))
      for (const part of parts) if (text.startsWith(part, at)) ends.add(at + part.length);
  return text !== "" && ends.has(text.length);
}
