import { useId } from "react";
import { Form } from "react-router";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { ConfirmDialog } from "~/ui/confirm-dialog.tsx";
import { DialogButton } from "~/ui/dialog.tsx";
import { Notice } from "~/ui/notice.tsx";
import type { DoneIssue } from "../done-issues.server.ts";
import type { PaymentLine } from "../payments.server.ts";
import { RefundButton } from "./refund-panel.tsx";

type PaymentIssueListProps = { waiting: PaymentLine[]; attempt: string; busy: boolean };

export function PaymentIssueList({ waiting, attempt, busy }: PaymentIssueListProps) {
  return (
    <section aria-labelledby="attention" className="mb-12">
      <h2 id="attention" className="mb-4 text-xl/[1.14]">
        Needs attention
      </h2>
      {waiting.length === 0 ? (
        <p className="max-w-[40rem] text-ink-soft">
          Nothing. A dispute, or a payment that could not open its course, would stand here until
          you have dealt with it.
        </p>
      ) : (
        <ul className="grid gap-4">
          {waiting.flatMap((payment) =>
            payment.issues.map((issue) => (
              <li key={issue.id}>
                <PaymentIssueEntry payment={payment} issue={issue} attempt={attempt} busy={busy} />
              </li>
            )),
          )}
        </ul>
      )}
    </section>
  );
}

type EntryProps = {
  payment: PaymentLine;
  issue: PaymentLine["issues"][number];
  attempt: string;
  busy: boolean;
  heading?: "h2" | "h3";
};

/** One issue of a payment: what happened, and what can be done. */
export function PaymentIssueEntry(props: EntryProps) {
  const { payment, issue, attempt, busy, heading: Heading = "h3" } = props;
  const { id, left, stripeUrl, canEnroll, isCourseDeleted } = payment;
  return (
    <article
      className="grid gap-3 rounded-control border border-s-3 border-line border-s-clay bg-surface px-6 py-5"
      aria-labelledby={`attention-${issue.id}`}
    >
      <Heading id={`attention-${issue.id}`} className="text-lg/[1.2]">
        {issue.subject}
      </Heading>
      <p className="max-w-[46rem] wrap-anywhere">{issue.happened}</p>
      <p className="max-w-[46rem] wrap-anywhere text-ink-soft">{issue.remedy}</p>
      <div className="mt-2 flex flex-wrap gap-3">
        {canEnroll && (
          <PostButton id={id} intent="enroll" busy={busy}>
            Enroll {payment.name}
          </PostButton>
        )}
        {left > 0 && <RefundButton payment={payment} attempt={attempt} busy={busy} size="sm" />}
        {isCourseDeleted && (
          <ButtonLink href="/admin/courses/deleted" variant="outline" size="sm">
            Deleted courses
          </ButtonLink>
        )}
        {stripeUrl && (
          <ButtonLink href={stripeUrl} variant="outline" size="sm" target="_blank" rel="noreferrer">
            Open at Stripe
          </ButtonLink>
        )}
        {issue.isUndecided ? (
          <ResolveQuestion id={id} issue={issue} busy={busy} />
        ) : (
          <PostButton id={id} intent="resolve" issue={issue.id} busy={busy}>
            Mark as done
          </PostButton>
        )}
      </div>
    </article>
  );
}

type ResolveQuestionProps = Pick<EntryProps, "issue" | "busy"> & { id: string };

/** While a bank decides, an issue that is off the list may be lost because it is not answered. */
function ResolveQuestion({ id, issue, busy }: ResolveQuestionProps) {
  // The same issue may appear on a page more than once.
  const dialog = `resolve-${useId()}`;
  return (
    <>
      <DialogButton dialog={dialog} variant="outline" size="sm">
        Mark as done
      </DialogButton>
      <ConfirmDialog
        id={dialog}
        title="Mark as done while the bank decides?"
        form={
          <PostButton id={id} intent="resolve" issue={issue.id} busy={busy} size="default">
            Mark as done
          </PostButton>
        }
      >
        <p>
          It leaves the list and the number beside “Payments”. Nothing is answered at Stripe by it.
          Without an answer there, the bank may decide against you.
        </p>
        <p>You can put it back on the list.</p>
      </ConfirmDialog>
    </>
  );
}

type DoneIssueListProps = { done: DoneIssue[]; busy: boolean };

export function DoneIssueList({ done, busy }: DoneIssueListProps) {
  return done.map(({ id, paymentId, subject, name, course }) => (
    <Notice key={id} tone="success" title="Marked as done" className="mb-6">
      <p>
        {subject}: “{course}”, {name ?? "account gone"}.
      </p>
      <PostButton id={paymentId} intent="reopen" issue={id} busy={busy}>
        Put it back on the list
      </PostButton>
    </Notice>
  ));
}

type PostButtonProps = {
  id: string;
  intent: "enroll" | "resolve" | "reopen";
  issue?: string;
  busy: boolean;
  size?: "default" | "sm";
  children: React.ReactNode;
};

const looks = { enroll: "default", resolve: "outline", reopen: "link" } as const;

function PostButton({ id, intent, issue, busy, size = "sm", children }: PostButtonProps) {
  return (
    <Form method="post" action={`/admin/payments/${id}`} className="contents">
      <input type="hidden" name="intent" value={intent} />
      {issue && <input type="hidden" name="issue" value={issue} />}
      <Button
        type="submit"
        variant={size === "default" ? "default" : looks[intent]}
        size={size}
        busy={busy}
      >
        {children}
      </Button>
    </Form>
  );
}
