import { UnsubscribeFooter } from "~/features/accounts/emails/unsubscribe-footer.tsx";
import type { UnsubscribeLinks } from "~/features/accounts/schema.ts";
import { Act, EmailLayout, Words } from "~/ui/email/email-layout.tsx";
import { site } from "~content/site.ts";

/** What a student meets after the module: `opens` is the day of its first lesson while that is locked. */
type Next =
  | { kind: "module"; title: string; opens: string | null }
  | { kind: "rest" }
  | { kind: "finished" };

type Props = {
  greeting: string;
  module: string;
  course: string;
  next: Next;
  link: string;
  links: UnsubscribeLinks;
};

/** About an hour after the last lesson of a module. */
export function ModuleCompleted({ greeting, module, course, next, link, links }: Props) {
  return (
    <EmailLayout
      preview="A short note about it, and what comes next."
      signature={site.coach.firstName}
      remark="If you are in danger or think you may hurt yourself, please do not wait for an email: call your local emergency number or a crisis line now."
      foot={<UnsubscribeFooter kind="module-completed" links={links} />}
    >
      <Words>{greeting}</Words>
      <Words>
        You finished “{module}”. That is work, even if nobody sees it. So I wanted to write to you.
      </Words>
      <Words>
        Nothing has to be different now. If something in it stirred things up, leave it alone for a
        while. If one sentence stayed with you, that is plenty. What you wrote in the journal is
        yours. I do not see it.
      </Words>
      <Words>{nextWords(next, course)}</Words>
      <Act href={link}>Go to your course</Act>
    </EmailLayout>
  );
}

function nextWords(next: Next, course: string): string {
  if (next.kind === "finished")
    return `That was the end of “${course}”. All of it stays open to you. You can go back to any lesson, or leave it closed.`;
  if (next.kind === "rest")
    return `That was the last part of “${course}”. Some lessons before it are still waiting for you, if you want them.`;
  return next.opens
    ? `Next comes “${next.title}”. Its first lesson opens on ${next.opens}. Until then there is nothing to do.`
    : `Next comes “${next.title}”. It is open, whenever you want to go on.`;
}
