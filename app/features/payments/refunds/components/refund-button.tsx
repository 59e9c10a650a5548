import { useId } from "react";
import { Form } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Dialog, DialogButton } from "~/ui/dialog.tsx";

type RefundButtonProps = {
  payment: {
    id: string;
    name: string | null;
    course: string;
    /** Whether her place in the course is held by this very payment. */
    holdsSeat: boolean;
    isEnrolled: boolean;
  };
  /** What is left of it. */
  cents: number;
  /** The same in words, '$197.00'. */
  money: string;
  /** Of this page: pressed twice, it is one refund. */
  attempt: string;
  busy: boolean;
  size?: "sm" | "default";
};

/** 'Refund $197.00', after a question that says what will happen. */
export function RefundButton(props: RefundButtonProps) {
  const { payment, cents, money, attempt, busy, size = "default" } = props;
  const who = payment.name ?? "Whoever paid";
  // The same payment may stand on a page more than once.
  const dialog = `refund-${useId()}`;
  return (
    <>
      <DialogButton dialog={dialog} variant="outline" size={size}>
        Refund {money}
      </DialogButton>
      <Dialog id={dialog} title={`Refund ${money}?`}>
        <ul className="desk-list">
          <li>
            {who} gets {money} back, the way it was paid. That is all that is left of the payment,
            and it cannot be taken back.
          </li>
          {payment.holdsSeat ? (
            <>
              <li>
                {who} can no longer open “{payment.course}”, from this moment on, unless another
                payment for it is there.
              </li>
              <li>What {who} completed and wrote there is kept.</li>
            </>
          ) : (
            payment.name && (
              <li>
                {payment.isEnrolled
                  ? `${who} stays in “${payment.course}”: another way in is there.`
                  : `${who} is not in “${payment.course}” now. That stays so.`}
              </li>
            )
          )}
          <li>
            {payment.name
              ? `${who} is told by email.`
              : "The account is gone, so no email is sent about it."}
          </li>
        </ul>
        <Form method="post" action={`/admin/payments/${payment.id}`} className="mt-7">
          <input type="hidden" name="intent" value="refund" />
          <input type="hidden" name="cents" value={cents} />
          <input type="hidden" name="attempt" value={attempt} />
          <Button type="submit" variant="destructive" busy={busy} busyLabel="Refunding...">
            Refund {money}
          </Button>
        </Form>
      </Dialog>
    </>
  );
}
