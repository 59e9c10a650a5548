import { Letter, SmallLink, Words } from "~/ui/mail/letter.tsx";
import { site } from "~content/site.ts";

type Props = {
  greeting: string;
  course: string;
  money: string;
  /** She is in the course all the same; or this payment had opened it; or it never did. */
  access: "open" | "ended" | "never";
};

const accessWords = {
  open: "Your place in the course stays as it is.",
  ended:
    "The course is closed to you from now on. What you wrote in the journal is not deleted because of it, and you can ask me for a copy.",
  never: "The course had not opened with this payment.",
};

/** The money is on its way back. */
export function Refunded({ greeting, course, money, access }: Props) {
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
      <Words>{accessWords[access]}</Words>
    </Letter>
  );
}
