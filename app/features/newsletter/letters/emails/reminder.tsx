import { Letter, SmallLink, Words } from "~/ui/mail/letter.tsx";
import { site } from "~content/site.ts";

/** For somebody who signs up again: she would else wait for a confirmation that never comes. */
export function Reminder({ greeting, unsubscribe }: { greeting: string; unsubscribe: string }) {
  return (
    <Letter
      preview="There is nothing to confirm: you are on the list."
      signature={site.coach.firstName}
      remark={
        <>
          If it was not you, there is nothing to do either: nothing has changed. If you would rather
          not have my letters, you can <SmallLink href={unsubscribe}>unsubscribe</SmallLink> at any
          time.
        </>
      }
    >
      <Words>{greeting}</Words>
      <Words>
        Somebody, probably you, just signed up for my weekly letter with this address. You are on
        the list already, so there is nothing to confirm.
      </Words>
      <Words>
        If you have not seen a letter for a while, it may be in your spam folder. Moving one of them
        to your inbox tells your mail program where you want them.
      </Words>
    </Letter>
  );
}
