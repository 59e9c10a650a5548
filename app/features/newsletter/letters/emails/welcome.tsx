import { Letter, SmallLink, Words } from "~/ui/mail/letter.tsx";
import { site } from "~content/site.ts";

/** The one letter that follows on confirming. */
export function Welcome({ greeting, unsubscribe }: { greeting: string; unsubscribe: string }) {
  return (
    <Letter
      preview="You are on the list. Here is what will come."
      signature={site.coach.firstName}
      remark={
        <>
          You get this letter because you confirmed this address at {site.name}. You can{" "}
          <SmallLink href={unsubscribe}>unsubscribe</SmallLink> at any time.
        </>
      }
    >
      <Words>{greeting}</Words>
      <Words>
        You are on the list. From now on I’ll write to you once a week: a reflection, or something
        small that helped somebody, and sometimes only a paragraph.
      </Words>
      <Words>
        None of it has to be read on the day it comes. If a week is too full or too empty for
        letters, leave them where they are. They keep.
      </Words>
      <Words>I’m glad you’re here, and I’m sorry for what brought you.</Words>
    </Letter>
  );
}
