import { UnsubscribeFooter } from "~/features/accounts/emails/unsubscribe-footer.tsx";
import type { UnsubscribeLinks } from "~/features/accounts/rules.ts";
import { enrollLabels } from "~/features/enrollments/messages.ts";
import { Act, EmailLayout, SmallLink, Words } from "~/ui/email/email-layout.tsx";
import { unbroken } from "~content/site.ts";
import { useSite } from "~content/use-site.ts";
import type { PaymentIssueText } from "../messages.ts";
import type { Access } from "../rules.ts";

type Props = PaymentIssueText & { greeting: string; link: string };

/** To the coach: something about a payment needs them. */
export function PaymentIssueNotice({ greeting, subject, happened, remedy, link }: Props) {
  const site = useSite();
  return (
    <EmailLayout
      preview={`${subject}.`}
      signature={site.name}
      remark="You are getting this email because you look after the site. It stays on the list of payments until it is resolved."
    >
      <Words>{greeting}</Words>
      <Words>{happened}</Words>
      <Words>{remedy}</Words>
      <Act href={link}>Open the payments</Act>
    </EmailLayout>
  );
}

type SaleProps = {
  greeting: string;
  /** Null for a name that no email repeats, or without an account. */
  student: string | null;
  email: string | null;
  course: string;
  price: string;
  paidOn: string;
  /** Whether the payment still opens the course to the student. */
  isOpen: boolean;
  /** What became of the payment since; null when it is as it was. */
  state: string | null;
  link: string;
  studentLink: string | null;
  links: UnsubscribeLinks;
};

/** To the coach: a course was bought, and its student is enrolled. */
export function SaleNotice(props: SaleProps) {
  const site = useSite();
  const { greeting, student, email, course, price, paidOn, isOpen, state } = props;
  const { link, studentLink } = props;
  const who = [student, email ?? "an account that is gone"].filter(Boolean).join(", ");
  return (
    <EmailLayout
      preview={`${who}: ${price}.`}
      signature={site.name}
      foot={<UnsubscribeFooter kind="sale" links={props.links} />}
    >
      <Words>{greeting}</Words>
      <Words>
        “{course}” was bought.{" "}
        {isOpen
          ? "It is open to the student, and the receipt is on its way."
          : "The receipt is on its way."}
      </Words>
      <Words>
        Student: {who}
        <br />
        Course: {course}
        <br />
        Paid: {price}
        <br />
        Date: {paidOn}
        {state && (
          <>
            <br />
            State now: {state}
          </>
        )}
      </Words>
      <Act href={link}>Open the payment</Act>
      {studentLink && (
        <Words>
          <SmallLink href={studentLink}>Open the student’s page</SmallLink>
        </Words>
      )}
    </EmailLayout>
  );
}

type PaymentFailedProps = {
  greeting: string;
  course: string;
  /** To the course's page; null when it is not sold any more. */
  link: string | null;
};

/** The payment did not come, and what can be done. */
export function PaymentFailed({ greeting, course, link }: PaymentFailedProps) {
  return (
    <EmailLayout preview={`Nothing was taken, and “${course}” has not opened.`}>
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
        <Words>There is nothing you have to do. If you have a question, reply to this email.</Words>
      )}
    </EmailLayout>
  );
}

type ReceiptProps = {
  greeting: string;
  course: string;
  price: string;
  paidOn: string;
  /** By which the payment is found at Stripe. */
  reference: string;
  access: Access;
  /** The day on which the account is deleted, in words; null when that is not asked for. */
  goesOn: string | null;
  link: string;
};

/** What was paid, for what, and when it can be had back. */
export function Receipt(props: ReceiptProps) {
  const site = useSite();
  const { greeting, course, price, paidOn, reference, access, goesOn, link } = props;
  return (
    <EmailLayout
      preview={`${price} for “${course}”, on ${paidOn}.`}
      remark="This email is your receipt. Please keep it for as long as you might need it."
    >
      <Words>{greeting}</Words>
      <Words>Your payment to {unbroken(site, site.name)} has arrived. Thank you.</Words>
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
          You have asked for your account to be deleted. It will be deleted on {goesOn}, and your
          place in the course with it. To keep both, sign in before then and choose “Keep it”. If
          you did not mean to pay, reply to this email, and I will return the money.
        </Words>
      )}
      {access === "open" && (
        <>
          <Words>{enrollLabels.refund} To ask for it, reply to this email.</Words>
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
    </EmailLayout>
  );
}

type RefundedProps = {
  greeting: string;
  course: string;
  money: string;
  paid: string;
  /** Nothing of the payment is left with this refund. */
  isRest: boolean;
  /** They are in the course all the same; or this payment had opened it; or it never did. */
  access: "open" | "ended" | "never";
  journal: string;
};

const accessWords = {
  open: "Your access to the course stays as it is.",
  ended:
    "The course is closed to you from now on. What you wrote is not deleted because of it: you can read it and download it in your journal.",
  never: "The course had not opened with this payment.",
};

/** The money is on its way back. */
export function Refunded(props: RefundedProps) {
  const site = useSite();
  const { greeting, course, money, paid, isRest, access, journal } = props;
  return (
    <EmailLayout
      preview={`${money} is on its way back to you.`}
      remark={
        <>
          If you did not ask for this, or the money has not come after ten days, write to me at{" "}
          <SmallLink href={`mailto:${site.email}`}>{site.email}</SmallLink> and I will help.
        </>
      }
    >
      <Words>{greeting}</Words>
      <Words>
        {money === paid
          ? `Your payment of ${money} for “${course}” has been refunded in full.`
          : `I have refunded ${money} of your payment of ${paid} for “${course}”.`}
        {isRest && money !== paid && " With that, all of it has gone back."} The money goes back the
        way it came, usually within ten days.
      </Words>
      <Words>{accessWords[access]}</Words>
      {access === "ended" && <Act href={journal}>Open the journal</Act>}
    </EmailLayout>
  );
}
