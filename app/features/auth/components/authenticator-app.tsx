import { useEffect, useRef } from "react";
import { Form } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import type { AppSetup } from "../two-factor.server.ts";
import { CodeField } from "./code-field.tsx";
import { ReauthenticationFields } from "./reauthentication.tsx";

type Props = {
  proof: Parameters<typeof ReauthenticationFields>[0]["proof"];
  fieldError: { field: string; message: string } | null;
  name: string | null;
  busy: boolean;
};

export function AppNameForm({ proof, fieldError, name, busy }: Props) {
  const ref = useRef<HTMLInputElement>(null);
  const isName = fieldError?.field === "name";
  useEffect(() => {
    if (isName) ref.current?.focus();
  }, [isName]);
  return (
    <Form method="post" noValidate className="grid max-w-[22rem] gap-5">
      <input type="hidden" name="intent" value="begin" />
      <Field
        label="Name"
        hint="So that you recognize it later: the phone it is on, for example."
        error={isName ? fieldError.message : undefined}
      >
        <Input
          ref={ref}
          name="name"
          maxLength={60}
          autoComplete="off"
          defaultValue={name ?? "My phone"}
          required
          autoFocus={isName}
        />
      </Field>
      <ReauthenticationFields proof={proof} fieldError={isName ? null : fieldError} />
      {proof !== "sign-in" && (
        <p>
          <Button type="submit" size="lg" busy={busy} busyLabel="One moment...">
            Continue
          </Button>
        </p>
      )}
    </Form>
  );
}

type AppSetupProps = { setup: AppSetup; fieldError: { message: string } | null; busy: boolean };

export function AppSetupForm({ setup, fieldError, busy }: AppSetupProps) {
  const { size, path } = setup.qr;
  return (
    <ol className="setup-steps">
      <li>
        <h3 className="text-lg">Scan this with your app</h3>
        <p className="mt-2 text-ink-soft">
          Any authenticator app does. On the phone that has it,{" "}
          <a href={setup.address}>open it from here</a>.
        </p>
        <svg
          className="qr mt-5"
          viewBox={`0 0 ${size} ${size}`}
          // Whole pixels for each square.
          width={size * 4}
          height={size * 4}
          role="img"
          aria-label="QR code for your authenticator app"
          shapeRendering="crispEdges"
        >
          <rect width={size} height={size} fill="#fff" />
          <path d={path} fill="#000" />
        </svg>
        <details className="mt-5">
          <summary>Type it in instead</summary>
          <p className="mt-3 text-ink-soft">
            Choose “enter a setup key” in the app. Spaces do not matter; the key is time based.
          </p>
          <p className="mt-3">
            <code className="setup-key">{setup.secret}</code>
          </p>
        </details>
      </li>
      <li>
        <h3 className="text-lg">Type the code that it shows</h3>
        <Form method="post" noValidate className="mt-4 grid max-w-[22rem] gap-5">
          <input type="hidden" name="intent" value="finish" />
          <CodeField
            label="Code"
            hint="Six digits. It changes every half minute."
            fieldError={fieldError}
          />
          <p>
            <Button type="submit" size="lg" busy={busy} busyLabel="Checking...">
              Turn it on
            </Button>
          </p>
        </Form>
      </li>
    </ol>
  );
}
