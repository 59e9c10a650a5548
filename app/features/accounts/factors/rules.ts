/** Digits and small letters that nobody takes for one another (Crockford's base 32). */
export const codeAlphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** Characters of a recovery code: 50 bits. */
export const codeLength = 10;

export type ReadCode = { kind: "app" | "recovery"; code: string };

/** What somebody typed or pasted, without spaces and hyphens; null when it can be no code. */
export function readCode(typed: string): ReadCode | null {
  const plain = typed.replaceAll(/[\s\u200b-\u200d\ufeff._–—-]/gu, "").toLowerCase();
  if (/^\d{6}$/.test(plain)) return { kind: "app", code: plain };
  // As they are often read: an o for a nought, an l or an i for a one.
  const code = plain.replaceAll("o", "0").replaceAll(/[il]/g, "1");
  const isCode =
    code.length === codeLength && [...code].every((character) => codeAlphabet.includes(character));
  return isCode ? { kind: "recovery", code } : null;
}

/** A recovery code as it is shown: abcde-fghjk. */
export function shownCode(code: string): string {
  return `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`;
}

/** A secret as it is typed: in groups of four. */
export function inGroups(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, "$1 ");
}

/** The part of a setup address that is typed where no camera can help. */
export function typedSecret(setupAddress: string): string {
  return inGroups(new URL(setupAddress).searchParams.get("secret") ?? "");
}
