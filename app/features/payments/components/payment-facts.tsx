import type { PaymentLine } from "../payments.server.ts";

/** A payment's payer, course and state. */
export function PaymentFacts({ payment }: { payment: PaymentLine }) {
  const { userId, name, email, productId, course, isCourseDeleted, enrollmentId } = payment;
  return (
    <dl className="admin-facts">
      <div>
        <dt>Paid by</dt>
        <dd>
          {userId ? (
            <>
              <a href={`/admin/students/${userId}`}>{name}</a>
              <br />
              {email}
            </>
          ) : (
            "The account is gone."
          )}
        </dd>
      </div>
      <div>
        <dt>Course</dt>
        <dd>
          {isCourseDeleted ? course : <a href={`/admin/courses/${productId}`}>{course}</a>}
          <br />
          {isCourseDeleted && "The course is deleted. "}
          {enrollmentId ? (
            <a href={`/admin/enrollments/${enrollmentId}`}>Enrolled now</a>
          ) : (
            "Not enrolled now"
          )}
        </dd>
      </div>
      <div>
        <dt>State</dt>
        <dd>
          {payment.state}
          {payment.ended && `, ${payment.ended}`}
          {payment.refunded && (
            <>
              <br />
              {payment.refunded} of {payment.amount} went back
            </>
          )}
        </dd>
      </div>
      <PaidFacts payment={payment} />
    </dl>
  );
}

/** How much was paid when, and where Stripe shows it. */
export function PaidFacts({ payment }: { payment: PaymentLine }) {
  const { amount, paid, paymentIntentId, stripeUrl } = payment;
  return (
    <div>
      <dt>Payment</dt>
      <dd>
        {amount}
        {paid && ` on ${paid}`}
      </dd>
      {stripeUrl && (
        <dd>
          <a href={stripeUrl} target="_blank" rel="noreferrer">
            Open at Stripe
          </a>
          <br />
          <span className="text-xs/[1.45] wrap-anywhere text-ink-soft">{paymentIntentId}</span>
        </dd>
      )}
    </div>
  );
}
