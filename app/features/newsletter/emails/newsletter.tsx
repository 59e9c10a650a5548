import { Act, EmailLayout, SmallLink, Words } from "~/ui/email/email-layout.tsx";
import { useSite } from "~content/use-site.ts";
import { confirmTime } from "../messages.ts";

type Props = { greeting: string; unsubscribe: string };

/** Asks whether the owner of the address wants the emails (double opt-in). */
export function ConfirmSubscription({ greeting, link, unsubscribe }: Props & { link: string }) {
  return (
    <EmailLayout
      preview="Please tell me that it was you."
      remark={
        <>
          If it was not you, there is nothing to do: without your confirmation I will not write. Or{" "}
          <SmallLink href={unsubscribe}>tell me to leave this address alone</SmallLink> at any time.
        </>
      }
    >
      <Words>{greeting}</Words>
      <Words>
        Somebody, probably you, asked for my weekly newsletter with this address. Before I write, I
        want to be sure that it was you.
      </Words>
      <Act href={link}>Confirm my address</Act>
      <Words>
        There is no hurry. The link works for {confirmTime.words}, and after that you can simply
        sign up again.
      </Words>
    </EmailLayout>
  );
}

/** Asks an address that the coach has taken along from another service. */
export function ConfirmImported({ greeting, link, unsubscribe }: Props & { link: string }) {
  return (
    <EmailLayout
      preview="My newsletter has moved, and I would like to ask you first."
      remark={
        <>
          If you would rather not, there is nothing to do: without your confirmation I will not
          write. Or <SmallLink href={unsubscribe}>tell me to leave this address alone</SmallLink> at
          any time.
        </>
      }
    >
      <Words>{greeting}</Words>
      <Words>
        Your address is on my list from another service. I now send my newsletter from my own site,
        once a week, and I would like to write only to those who want it.
      </Words>
      <Act href={link}>Yes, keep writing to me</Act>
      <Words>
        There is no hurry. The link works for {confirmTime.words}, and after that you can sign up on
        my site at any time.
      </Words>
    </EmailLayout>
  );
}

/** For somebody who signs up again: they would else wait for a confirmation that never comes. */
export function AlreadySubscribed({ greeting, unsubscribe }: Props) {
  return (
    <EmailLayout
      preview="There is nothing to confirm: you are on the list."
      remark={
        <>
          If it was not you, there is nothing to do either: nothing has changed. If you would rather
          not have my newsletter, you can <SmallLink href={unsubscribe}>unsubscribe</SmallLink> at
          any time.
        </>
      }
    >
      <Words>{greeting}</Words>
      <Words>
        Somebody, probably you, just signed up for my weekly newsletter with this address. You are
        on the list already, so there is nothing to confirm.
      </Words>
      <Words>
        If you have not seen one for a while, it may be in your spam folder. Moving one of them to
        your inbox tells your mail program where you want them.
      </Words>
    </EmailLayout>
  );
}

/** The one email that follows on confirming. */
export function NewsletterWelcome({ greeting, unsubscribe }: Props) {
  const site = useSite();
  return (
    <EmailLayout
      preview="You are on the list. Here is what will come."
      remark={
        <>
          You get this email because you confirmed this address at {site.name}. You can{" "}
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
        reading, leave it where it is. It will wait.
      </Words>
      <Words>I’m glad you’re here, and I’m sorry for what brought you.</Words>
    </EmailLayout>
  );
}
