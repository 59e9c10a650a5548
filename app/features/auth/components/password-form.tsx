import { Form, useNavigation } from "react-router";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { accountPath } from "../messages.ts";
import type { FieldError } from "../schema.ts";
import { PasswordField } from "./credential-fields.tsx";

export function PasswordForm({
  fieldError,
  email,
}: {
  fieldError: FieldError | null;
  email: string;
}) {
  const busy = useNavigation().formAction !== undefined;
  return (
    <Form method="post" noValidate className="grid gap-5">
      {/* Tells password managers which account this is. */}
      <input type="hidden" name="username" autoComplete="username" defaultValue={email} />
      <PasswordField
        name="current"
        label="Current password"
        fieldError={fieldError}
        fresh={false}
      />
      <p className="-mt-2 text-sm">
        <a href="/auth/forgot">Forgot your password?</a>
      </p>
      <PasswordField label="New password" fieldError={fieldError} fresh />
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
