import type { ReactNode } from "react";
import { Form } from "react-router";
import { Button } from "~/ui/button.tsx";
import { ConfirmDialog } from "~/ui/confirm-dialog.tsx";
import { DialogButton } from "~/ui/dialog.tsx";
import type { getEnrollment } from "../manual-enrollments.server.ts";

type Enrollment = NonNullable<Awaited<ReturnType<typeof getEnrollment>>>;
type ShownEnrollment = Omit<Enrollment, "createdAt" | "deletedAt" | "lessonsFromAt"> & {
  since: string;
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
  return active ? null : "The course is inactive: enrolled students keep access.";
}

export function EnrollmentFacts({ enrollment, former, payment }: EnrollmentFactsProps) {
  const { userId, productId, name, email, course, since, stripePaymentId } = enrollment;
  const state = stateOf(enrollment);
  return (
    <dl className="admin-facts">
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

type RemoveEnrollmentProps = { enrollment: ShownEnrollment; busy: boolean };

/** Ends the enrollment, after a question that names what goes and what stays. */
export function RemoveEnrollment({ enrollment, busy }: RemoveEnrollmentProps) {
  const { name, course, stripePaymentId } = enrollment;
  return (
    <>
      <DialogButton dialog="remove" variant="outline">
        Remove this enrollment
      </DialogButton>
      <ConfirmDialog
        id="remove"
        title="Remove this enrollment?"
        form={
          <Form method="post">
            <Button
              type="submit"
              name="intent"
              value="remove"
              variant="destructive"
              busy={busy}
              busyLabel="Removing..."
            >
              Remove the enrollment
            </Button>
          </Form>
        }
      >
        <ul className="admin-list">
          <li>
            {name} can no longer open “{course}”, from this moment on.
          </li>
          <li>
            What {name} completed and wrote there is kept, and comes back with another enrollment.
            The days of its lessons then count from the start.
          </li>
          <li>
            {stripePaymentId
              ? `No money is refunded by this. The payment ${stripePaymentId} stays paid.`
              : "Nothing was paid for it here, so there is nothing to refund."}
          </li>
          <li>No email is sent.</li>
        </ul>
      </ConfirmDialog>
    </>
  );
}
