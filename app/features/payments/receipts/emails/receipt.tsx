import { labels } from "~/features/enrollments/texts.ts";
import { Act, Letter, Words } from "~/ui/mail/letter.tsx";
import { site, unbroken } from "~content/site.ts";

type ReceiptProps = {
  greeting: string;
  course: string;
  /** '$197.00'. */
  price: string;
  /** 'November 22, 2026'. */
  paidOn: string;
  /** By which the payment is found at Stripe. */
  reference: string;
  /** To the lessons; null while the coach has to look at the payment first. */
  link: string | null;
};

/** What was paid, for what, and when it can be had back. */
export function Receipt(props: ReceiptProps) {
  const { greeting, course, price, paidOn, reference, link } = props;
  return (
    <Letter
      preview={`${price} for “${course}”, on ${paidOn}.`}
      signature={site.coach.firstName}
      remark="This letter is your receipt. Keep it for as long as you might need it."
    >
      <Words>{greeting}</Words>
      <Words>Your payment to {unbroken(site.name)} has arrived. Thank you.</Words>
      <Words>
        Course: {course}
        <br />
        Paid: {price}, once
        <br />
        Date: {paidOn}
        <br />
        Payment reference: {reference}
      </Words>
      {link ? (
        <>
          <Words>{labels.refund} To ask for it, answer this letter.</Words>
          <Act href={link}>Go to the lessons</Act>
        </>
      ) : (
        <Words>
          The course has not opened by itself this time. I can see your payment here, I am looking
          at it by hand, and I will write to you. There is nothing you have to do.
        </Words>
      )}
    </Letter>
  );
}
