import { useEffect, useRef } from "react";
import { Form } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/input.tsx";
import { OwnerProof } from "./owner-proof.tsx";

type Props = {
  proof: Parameters<typeof OwnerProof>[0]["proof"];
  complaint: { field: string; message: string } | null;
  name: string | null;
  busy: boolean;
};

/** The first step of adding an app: what it is called, and that it is she who asks. */
export function AppNameForm({ proof, complaint, name, busy }: Props) {
  const ref = useRef<HTMLInputElement>(null);
  const isName = complaint?.field === "name";
  useEffect(() => {
    if (isName) ref.current?.focus();
  }, [isName]);
  return (
    <Form method="post" noValidate className="grid max-w-[22rem] gap-5">
      <input type="hidden" name="intent" value="begin" />
      <Field
        label="Name"
        hint="So that you recognise it later: the phone it is on, for example."
        error={isName ? complaint.message : undefined}
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
      <OwnerProof proof={proof} complaint={isName ? null : complaint} />
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
