import { Form, Link } from "react-router";
import { Button } from "~/ui/button.tsx";
import { site } from "~content/site.ts";
import { CodeField } from "./code-field.tsx";
import { PasskeySignIn } from "./passkey-sign-in.tsx";

type Props = {
  email: string;
  /** Address of this page, with the way back. */
  here: string;
  ways: { hasApps: boolean; hasPasskeys: boolean; withRecovery: boolean };
  complaint: { message: string } | null;
  busy: boolean;
};

/** A code of the app, a recovery code or a passkey; or somebody else altogether. */
export function SecondStepForm({ email, here, ways, complaint, busy }: Props) {
  const { hasApps, hasPasskeys, withRecovery } = ways;
  return (
    <>
      {hasApps && (
        <Form method="post" noValidate className="grid gap-5">
          <CodeField
            key={withRecovery ? "recovery" : "app"}
            kind={withRecovery ? "recovery" : "app"}
            label={withRecovery ? "Recovery code" : "Code"}
            hint={withRecovery ? "Ten letters and digits. Each code works once." : undefined}
            complaint={complaint}
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
            {withRecovery ? (
              <Link to={here} replace>
                Use a code of your app
              </Link>
            ) : (
              <>
                Not at hand?{" "}
                <Link to={`${here}&with=recovery`} replace>
                  Use a recovery code
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
