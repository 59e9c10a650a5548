import { Act, Letter, Words } from "~/ui/mail/letter.tsx";
import { site } from "~content/site.ts";
import type { AttentionWords } from "../rules.ts";

type Props = AttentionWords & { greeting: string; link: string };

/** To the coach: something about a payment needs her. */
export function Attention({ greeting, subject, happened, remedy, link }: Props) {
  return (
    <Letter
      preview={`${subject}.`}
      signature={site.name}
      remark="You have this letter because you look after the site. It stays on the list of payments until it is dealt with."
    >
      <Words>{greeting}</Words>
      <Words>{happened}</Words>
      <Words>{remedy}</Words>
      <Act href={link}>Open the payments</Act>
    </Letter>
  );
}
