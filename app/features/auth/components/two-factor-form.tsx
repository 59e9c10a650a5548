import { Form, Link } from "react-router";
import { Button } from "~/ui/button.tsx";
import { useSite } from "~content/use-site.ts";
import { CodeField } from "./code-field.tsx";
import { PasskeySignIn } from "./passkey-sign-in.tsx";

type Props = {
  email: string;
  here: string;
  ways: { hasApps: boolean; hasPasskeys: boolean; withBackupCode: boolean };
  fieldError: { message: string } | null;
  busy: boolean;
};

export function TwoFactorForm({ email, here, ways, fieldError, busy }: Props) {
  const site = useSite();
  const { hasApps, hasPasskeys, withBackupCode } = ways;
  return (
    <>
      {hasApps && (
        <Form method="post" noValidate className="grid gap-5">
          <CodeField
            key={withBackupCode ? "recovery" : "app"}
            kind={withBackupCode ? "recovery" : "app"}
            label={withBackupCode ? "Backup code" : "Code"}
            hint={withBackupCode ? "Ten letters and digits. Each code works once." : undefined}
            fieldError={fieldError}
          />
          <Button type="submit" size="lg" busy={busy} busyLabel="Checking...">
            Continue
          </Button>
        </Form>
      )}
      {hasPasskeys && (
        <PasskeySignIn
          label="Use a passkey"
          busy={busy}
          variant={hasApps ? "outline" : "default"}
        />
      )}
      {hasPasskeys && !hasApps && (
        <noscript>
          <p>A passkey needs scripts: please switch them on for this page.</p>
        </noscript>
      )}
      <div className="grid gap-2 text-ink-soft">
        {hasApps && (
          <p>
            {withBackupCode ? (
              <Link to={here} replace>
                Use a code of your app
              </Link>
            ) : (
              <>
                Not at hand?{" "}
                <Link to={`${here}&with=recovery`} replace>
                  Use a backup code
                </Link>
              </>
            )}
          </p>
        )}
        <p>
          {hasApps ? "Neither is at hand?" : "Not at hand?"} Write to{" "}
          <a href={`mailto:${site.email}`}>{site.email}</a>, and I will help you in.
        </p>
        <Form method="post" className="flex flex-wrap items-baseline gap-x-2">
          <input type="hidden" name="intent" value="sign-out" />
          <span className="min-w-0 break-words">You are signing in as {email}.</span>
          <Button type="submit" variant="link" className="font-normal!">
            Use another account
          </Button>
        </Form>
      </div>
    </>
  );
}
