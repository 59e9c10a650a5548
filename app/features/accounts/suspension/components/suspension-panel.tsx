import { Form } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Dialog, DialogButton } from "~/ui/dialog.tsx";
import { Field } from "~/ui/field.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Textarea } from "~/ui/textarea.tsx";
import { longestReason } from "../texts.ts";

type SuspensionPanelProps = {
  name: string;
  /** Null while she can sign in. */
  suspended: { since: string; reason: string } | null;
  isAdmin: boolean;
  /** What was typed into a form that was refused. */
  typed: string;
  busy: boolean;
};

/** Whether an account can be used, and the one button that changes it. */
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
      <Dialog id="suspend" title={`Suspend the account of ${name}?`}>
        <ul className="desk-list">
          <li>{name} cannot sign in any more, by any way, and is signed out everywhere at once.</li>
          {isAdmin && <li>An administrator who is suspended is none.</li>}
          <li>
            Everything that {name} wrote, every course and every payment stays. So do words that are
            on her device and were not sent yet.
          </li>
          <li>Letters about lessons pause. The newsletter is separate, and goes on.</li>
          <li>
            No letter is sent about this. Whoever signs in with the right password reads that the
            account is paused, and where to write to you.
          </li>
        </ul>
        <Form method="post" className="mt-6 grid gap-6">
          <Field label="Reason" optional hint="Only administrators see it.">
            <Textarea name="reason" rows={3} maxLength={longestReason} defaultValue={typed} />
          </Field>
          <div>
            <Button
              type="submit"
              variant="destructive"
              name="intent"
              value="suspend"
              busy={busy}
              busyLabel="Suspending..."
            >
              Suspend the account
            </Button>
          </div>
        </Form>
      </Dialog>
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
      <Dialog id="let-in" title={`Let ${name} in again?`}>
        <ul className="desk-list">
          <li>{name} can sign in as before, from this moment on, and finds everything there.</li>
          <li>Letters about lessons go on with what opens from now on.</li>
          <li>The reason is forgotten. No letter is sent about this.</li>
        </ul>
        <Form method="post" className="mt-7">
          <Button type="submit" name="intent" value="let-in" busy={busy} busyLabel="Letting in...">
            Let in again
          </Button>
        </Form>
      </Dialog>
    </>
  );
}
