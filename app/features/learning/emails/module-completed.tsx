import { Act, Letter, Words } from "~/ui/mail/letter.tsx";
import { site } from "~content/site.ts";

type Props = { name: string; module: string; course: string; link: string };

/** About an hour after the last lesson of a module. */
export function ModuleCompleted({ name, module, course, link }: Props) {
  return (
    <Letter
      preview="A short note, an hour later."
      signature={site.coach.firstName}
      remark="If you are in danger or think you may hurt yourself, please do not wait for a letter: call your local emergency number or a crisis line now."
    >
      <Words>Hello {name},</Words>
      <Words>
        You finished “{module}” today. I wanted to write to you about it, because this is the kind
        of thing that nobody around you will have noticed.
      </Words>
      <Words>
        Nothing has to be different now. If something in it stirred things up, leave it alone for a
        while. If one sentence stayed with you, that is plenty. What you wrote in the journal is
        yours. I do not see it.
      </Words>
      <Words>When you want to go on, your place in {course} is kept.</Words>
      <Act href={link}>Go to your course</Act>
    </Letter>
  );
}
