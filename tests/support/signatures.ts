/** Texts that a lenient decoder of base64 or base64url reads as the same 32 bytes, or begins with them. */
export function otherSpellings(signature: string): string[] {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  const bare = signature.replace(/=$/, "");
  // Of the last of 43 characters, two bits stand for nothing.
  const last = alphabet.includes(bare.at(-1) ?? "") ? alphabet.indexOf(bare.at(-1) ?? "") : -1;
  const spare = last >= 0 ? [`${bare.slice(0, -1)}${alphabet[last + 1] ?? ""}`] : [];
  const more = ["=", "==", "=xyz", "xyz", " ", ".", "\n", "%", "é"].map((end) => signature + end);
  const inside = [" ", "!", "\n"].map((one) => bare.slice(0, 9) + one + bare.slice(9));
  return [...more, ...inside, ...spare, bare, `${bare}=`].filter((text) => text !== signature);
}
