import { Act, EmailLayout, Words } from "~/ui/email/email-layout.tsx";
import { useSite } from "~content/use-site.ts";

type Props = { greeting: string };

export function DeletionScheduled({ greeting, day, link }: Props & { day: string; link: string }) {
  const site = useSite();
  return (
    <EmailLayout
      preview={`On ${day}. Until then you can keep it.`}
      remark="If it was not you, press the button to keep your account. Then choose another password, because somebody knows yours."
    >
      <Words>{greeting}</Words>
      <Words>
        You asked me to delete your account at {site.name}. It will be deleted on {day}, with
        everything you have written in your courses. Until then you cannot use it, but nothing is
        lost.
      </Words>
      <Words>
        If you change your mind, press the button to keep it. If not, there is nothing to do.
      </Words>
      <Act href={link}>Keep my account</Act>
    </EmailLayout>
  );
}

export function AccountDeleted({ greeting }: Props) {
  const site = useSite();
  return (
    <EmailLayout
      preview="It is done, as you asked."
      remark="If you get the weekly newsletter at this address, it continues. Each one ends with a link to unsubscribe."
    >
      <Words>{greeting}</Words>
      <Words>
        As you asked, your account at {site.name} is deleted, and with it what you had written in
        your courses. It cannot be restored, not even by me. If you ever bought a course, the record
        of the payment stays as long as the law asks for it, without your name.
      </Words>
      <Words>I wish you well. You are welcome here again at any time.</Words>
    </EmailLayout>
  );
}
