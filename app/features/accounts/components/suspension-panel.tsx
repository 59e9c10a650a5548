import { Form } from "react-router";
import { Button } from "~/ui/button.tsx";
import { ConfirmDialog } from "~/ui/confirm-dialog.tsx";
import { DialogButton } from "~/ui/dialog.tsx";
import { Field } from "~/ui/field.tsx";
import { Textarea } from "~/ui/inputs.tsx";
import { Notice } from "~/ui/notice.tsx";
import { administratorMessages, longestReason } from "../messages.ts";

type SuspensionPanelProps = {
  name: string;
  suspended: { since: string; reason: string } | null;
  isAdmin: boolean;
  /** Input of a form that was refused. */
  typed: string;
  busy: boolean;
};

export function SuspensionPanel({ suspended, ...rest }: SuspensionPanelProps) {
  return (
    <section aria-labelledby="account" className="student-part">
      <h2 id="account">Account</h2>
      {suspended ? <LetIn suspended={suspended} {...rest} /> : <Suspend {...rest} />}
    </section>
  );
}

type Parts = Omit<SuspensionPanelProps, "suspended">;

function Suspend({ name, isAdmin, typed, busy }: Parts) {
  return (
    <>
      <p className="student-nothing">{name} can sign in.</p>
      <DialogButton dialog="suspend" variant="outline" size="sm" className="mt-4">
        Suspend
      </DialogButton>
      <ConfirmDialog
        id="suspend"
        title={`Suspend the account of ${name}?`}
        form={
          <Button
            type="submit"
            form="suspend-form"
            variant="destructive"
            name="intent"
            value="suspend"
            busy={busy}
            busyLabel="Suspending..."
          >
            Suspend the account
          </Button>
        }
      >
        <ul className="admin-list">
          <li>{name} cannot sign in any more, by any way, and is signed out everywhere at once.</li>
          {isAdmin && <li>While suspended, {name} is no administrator.</li>}
          {isAdmin && <li>{administratorMessages.invitationsEnd}</li>}
          <li>
            Everything that {name} wrote, every course and every payment stays. So does text that is
            on their device and was not sent yet.
          </li>
          <li>Emails about lessons pause. The newsletter is separate and continues.</li>
          <li>
            No email is sent about this. When the student signs in with the right password, a
            message says that the account is paused, and where to write to you.
          </li>
        </ul>
        <Form method="post" id="suspend-form" className="mt-3">
          <Field label="Reason" optional hint="Only administrators see it.">
            <Textarea name="reason" rows={3} maxLength={longestReason} defaultValue={typed} />
          </Field>
        </Form>
      </ConfirmDialog>
    </>
  );
}

function LetIn({
  name,
  suspended,
  busy,
}: Parts & { suspended: NonNullable<SuspensionPanelProps["suspended"]> }) {
  return (
    <>
      <Notice tone="warning" title={`Suspended since ${suspended.since}`}>
        {suspended.reason ? (
          <p className="whitespace-pre-line break-words">{suspended.reason}</p>
        ) : (
          <p>No reason was written down.</p>
        )}
      </Notice>
      <DialogButton dialog="let-in" variant="outline" size="sm" className="mt-4">
        Let in again
      </DialogButton>
      <ConfirmDialog
        id="let-in"
        title={`Let ${name} in again?`}
        form={
          <Form method="post">
            <Button
              type="submit"
              name="intent"
              value="let-in"
              busy={busy}
              busyLabel="Letting in..."
            >
              Let in again
            </Button>
          </Form>
        }
      >
        <ul className="admin-list">
          <li>{name} can sign in as before, from this moment on, and finds everything there.</li>
          <li>Emails about lessons continue with what opens from now on.</li>
          <li>The reason is deleted. No email is sent about this.</li>
        </ul>
      </ConfirmDialog>
    </>
  );
}
