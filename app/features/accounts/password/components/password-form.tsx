import { Form, useNavigation } from "react-router";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { type Complaint, PasswordField } from "../../components/credential-fields.tsx";
import { accountPath } from "../../settings/texts.ts";

/** The password she has, and the one she wants. */
export function PasswordForm({ complaint, email }: { complaint: Complaint; email: string }) {
  const busy = useNavigation().formAction !== undefined;
  return (
    <Form method="post" noValidate className="grid gap-5">
      {/* For programs that keep passwords: whose it is. */}
      <input type="hidden" name="username" autoComplete="username" defaultValue={email} />
      <PasswordField name="current" label="Current password" complaint={complaint} fresh={false} />
      <p className="-mt-2 text-sm">
        <a href="/auth/forgot">Forgot your password?</a>
      </p>
      <PasswordField label="New password" complaint={complaint} fresh />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={busy} busyLabel="Saving...">
          Save the new password
        </Button>
        <ButtonLink href={accountPath} variant="outline">
          Cancel
        </ButtonLink>
      </div>
    </Form>
  );
}
