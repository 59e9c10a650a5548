import { SmallLink } from "~/ui/mail/letter.tsx";
import type { LetterKind, LetterLinks } from "../schema.ts";
import { letterWords } from "../texts.ts";

/** The foot of a letter that may be switched off: why it came, and how to have fewer of them. */
export function FewerLetters({ kind, links }: { kind: LetterKind; links: LetterLinks }) {
  return (
    <>
      {letterWords[kind].why} You can <SmallLink href={links.off}>stop these letters</SmallLink>, or{" "}
      <SmallLink href={links.preferences}>choose which ones you get</SmallLink>.
    </>
  );
}
