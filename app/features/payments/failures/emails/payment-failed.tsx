import { Act, Letter, Words } from "~/ui/mail/letter.tsx";
import { site } from "~content/site.ts";

type Props = {
  greeting: string;
  course: string;
  /** To the course's page; null when it is not sold any more. */
  link: string | null;
};

/** The payment did not come, and what can be done. */
export function PaymentFailed({ greeting, course, link }: Props) {
  return (
    <Letter
      preview={`Nothing was taken, and “${course}” has not opened.`}
      signature={site.coach.firstName}
    >
      <Words>{greeting}</Words>
      <Words>
        Your payment for “{course}” did not go through. This way of paying takes a few days, and in
        the end the money did not come: nothing was taken, and the course has not opened.
      </Words>
      <Words>This happens, and it says nothing about you. Banks often do not tell why.</Words>
      {link ? (
        <>
          <Words>
            If you still want the course, you can pay again whenever it suits you, in the same way
            or another one. If not, there is nothing you have to do.
          </Words>
          <Act href={link}>To the course</Act>
        </>
      ) : (
        <Words>There is nothing you have to do. If you have a question, answer this letter.</Words>
      )}
    </Letter>
  );
}
