import { labels } from "~/features/enrollments/texts.ts";
import { Act, Letter, Words } from "~/ui/mail/letter.tsx";
import { site, unbroken } from "~content/site.ts";
import type { Access } from "../rules.ts";

type ReceiptProps = {
  greeting: string;
  course: string;
  /** '$197.00'. */
  price: string;
  /** 'November 22, 2026'. */
  paidOn: string;
  /** By which the payment is found at Stripe. */
  reference: string;
  access: Access;
  /** The day on which the account is deleted, in words; null when that is not asked for. */
  goesOn: string | null;
  /** To the lessons. */
  link: string;
};

/** What was paid, for what, and when it can be had back. */
export function Receipt(props: ReceiptProps) {
  const { greeting, course, price, paidOn, reference, access, goesOn, link } = props;
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
      {goesOn && (
        <Words>
          You have asked for your account to be deleted. On {goesOn} it goes, and your place in the
          course with it. To keep both, sign in before then and choose “Keep it”. If you did not
          mean to pay, answer this email, and I will return the money.
        </Words>
      )}
      {access === "open" && (
        <>
          <Words>{labels.refund} To ask for it, answer this letter.</Words>
          <Act href={link}>Go to the lessons</Act>
        </>
      )}
      {access === "without" && (
        <Words>
          The course was open to you already. I am looking at this payment and will write to you.
        </Words>
      )}
      {access === "closed" && (
        <Words>
          The course has not opened by itself this time. I can see your payment here, I am looking
          at it by hand, and I will write to you. There is nothing you have to do.
        </Words>
      )}
    </Letter>
  );
}
