import { emailField, nameField } from "../schema.ts";

/** The address that a provider tells, as accounts have theirs; null when it is none. */
export function addressOf({ email }: { email: string | null }): string | null {
  return emailField.safeParse({ email: email?.toLowerCase() }).data?.email ?? null;
}

const unprintable = /\p{Cc}+/gu;

/**
 * A name that the rule for names takes (spec 5), made of what a provider tells: too long it is cut,
 * and without one it is what stands before the @ of the address.
 */
export function nameOf(told: string | null, address: string): string {
  const plain = (told ?? "").toWellFormed().replaceAll(unprintable, " ").trim();
  let name = "";
  for (const { segment } of new Intl.Segmenter("en").segment(plain)) {
    if (name.length + segment.length > 100) break;
    name += segment;
  }
  const parsed = nameField.safeParse({ name });
  return parsed.data?.name ?? address.slice(0, address.indexOf("@")).slice(0, 100);
}
