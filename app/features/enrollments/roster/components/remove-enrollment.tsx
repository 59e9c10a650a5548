import { Form } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Dialog, DialogButton } from "~/ui/dialog.tsx";
import type { ShownEnrollment } from "./enrollment-facts.tsx";

type RemoveEnrollmentProps = { enrollment: ShownEnrollment; busy: boolean };

/** Ends the enrollment, after a question that names what goes and what stays. */
export function RemoveEnrollment({ enrollment, busy }: RemoveEnrollmentProps) {
  const { name, course, stripePaymentId } = enrollment;
  return (
    <>
      <DialogButton dialog="remove" variant="outline">
        Remove this enrollment
      </DialogButton>
      <Dialog id="remove" title="Remove this enrollment?">
        <ul className="desk-list">
          <li>
            {name} can no longer open “{course}”, from this moment on.
          </li>
          <li>
            What {name} completed and wrote there is kept, and comes back with another enrollment.
            The days of its lessons then count anew.
          </li>
          <li>
            {stripePaymentId
              ? `No money is refunded by this. The payment ${stripePaymentId} stays paid.`
              : "Nothing was paid for it here, so there is nothing to refund."}
          </li>
          <li>No letter is sent.</li>
        </ul>
        <Form method="post" className="mt-7">
          <Button type="submit" variant="destructive" busy={busy} busyLabel="Removing...">
            Remove the enrollment
          </Button>
        </Form>
      </Dialog>
    </>
  );
}
