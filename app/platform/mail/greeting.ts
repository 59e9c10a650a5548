/** Longer ones are no names, or nobody misses theirs in 'Hello,'. */
const longest = 40;

/**
 * What a mail program makes a link of (addresses, numbers to call) or decodes (RFC 2047). Dots are all
 * that look like one, as in Unicode's list of confusable signs.
 */
const suspicious = /[/\u2044\u2215\u29f8@\\<>]|www|=\?|[.。܁܂۔꘎ꓸ]\p{L}{2}|\p{Nd}{4}/iu;

/** What turns the text around it, or breaks a line. */
const turning = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** A text as its reader takes it: signs in their plain form, and none that are not to be seen. */
const asSeen = (text: string) =>
  text.normalize("NFKC").replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "");

/**
 * The name for a letter, or null. Robots have advertisements for a name, to be read by the owners
 * of the addresses that they type: no letter repeats what could become a link or a call.
 */
export function greetingName(name: string): string | null {
  const trimmed = name.trim();
  if (trimmed.length > longest) return null;
  const seen = asSeen(trimmed);
  return seen === "" || turning.test(trimmed) || suspicious.test(seen) ? null : trimmed;
}

/** 'Hello Ada,', or 'Hello,' where the name is none to be repeated. */
export function greetingOf(name: string | null): string {
  const fit = greetingName(name ?? "");
  return fit ? `Hello ${fit},` : "Hello,";
}

/** Whom a letter is for, as its head says it. */
export function receiver(name: string | null, address: string): { name: string; address: string } {
  return { name: greetingName(name ?? "") ?? "", address };
}
