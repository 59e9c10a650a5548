import { Letter, SmallLink, Words } from "~/ui/mail/letter.tsx";
import { site } from "~content/site.ts";

type Props = { greeting: string; course: string; money: string; hasAccess: boolean };

/** The money is on its way back. */
export function Refunded({ greeting, course, money, hasAccess }: Props) {
  return (
    <Letter
      preview={`${money} is on its way back to you.`}
      signature={site.coach.firstName}
      remark={
        <>
          If you did not ask for this, or the money has not come after ten days, write to me at{" "}
          <SmallLink href={`mailto:${site.email}`}>{site.email}</SmallLink>.
        </>
      }
    >
      <Words>{greeting}</Words>
      <Words>
        Your payment of {money} for “{course}” has been refunded in full. The money goes back the
        way it came, usually within ten days.
      </Words>
      <Words>
        {hasAccess
          ? "Your place in the course stays as it is."
          : "The course is closed to you from now on. What you wrote in the journal is not deleted because of it, and you can ask me for a copy."}
      </Words>
    </Letter>
  );
}
