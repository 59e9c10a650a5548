/** Longer ones are no names, or nobody misses theirs in 'Hello,'. */
const longest = 40;

/** What a mail program makes a link of (addresses, numbers to call), and what turns or hides text. */
const suspicious =
  /[/@\\<>]|www|[.。．｡]\p{L}{2}|\d{4}|[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/iu;

/**
 * The name for a letter, or null. Robots have advertisements for a name, to be read by the owners
 * of the addresses that they type: no letter repeats what could become a link or a call.
 */
export function greetingName(name: string): string | null {
  const trimmed = name.trim();
  return trimmed === "" || trimmed.length > longest || suspicious.test(trimmed) ? null : trimmed;
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
