import type { ReactNode } from "react";

export type ShownEnrollment = {
  id: string;
  userId: string;
  productId: string;
  name: string;
  email: string;
  course: string;
  since: string;
  stripePaymentId: string | null;
  active: boolean;
  isDeleted: boolean;
};

type EnrollmentFactsProps = {
  enrollment: ShownEnrollment;
  /** Earlier times in the same course, as 'Nov 3, 2025 to Nov 20, 2025'. */
  former: { id: string; words: string }[];
  /** What is known of its payment, as a part of the list; else its id is all there is. */
  payment?: ReactNode;
};

function stateOf({ isDeleted, active }: ShownEnrollment) {
  if (isDeleted) return "The course is deleted: nobody sees it.";
  return active ? null : "The course is inactive: who is enrolled goes on.";
}

/** Who, in what, since when, and what was paid. */
export function EnrollmentFacts({ enrollment, former, payment }: EnrollmentFactsProps) {
  const { userId, productId, name, email, course, since, stripePaymentId } = enrollment;
  const state = stateOf(enrollment);
  return (
    <dl className="desk-facts">
      <div>
        <dt>Student</dt>
        <dd>
          <a href={`/admin/students/${userId}`}>{name}</a>
          <br />
          {email}
        </dd>
      </div>
      <div>
        <dt>Course</dt>
        <dd>
          <a href={`/admin/courses/${productId}`}>{course}</a>
          {state && (
            <>
              <br />
              {state}
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>Enrolled</dt>
        <dd>{since}</dd>
        {former.map(({ id, words }) => (
          <dd key={id} className="text-ink-soft">
            Before: {words}
          </dd>
        ))}
      </div>
      {payment ?? (
        <div>
          <dt>Payment</dt>
          <dd>{stripePaymentId ? `Payment: ${stripePaymentId}` : "None: enrolled by hand"}</dd>
        </div>
      )}
    </dl>
  );
}
