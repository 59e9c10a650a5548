import { useEffect, useRef } from "react";
import { Form } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import { longestAddress } from "../rules.ts";
import type { SuppressionInput as Typed } from "../suppressions.server.ts";

type Props = { typed: Typed; error: string | null; busy: boolean };

/** Adds an address by hand. */
export function SuppressionForm({ typed, error, busy }: Props) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [error]);
  return (
    <Form ref={form} method="post" noValidate className="admin-form">
      <Field label="Email address" error={error ?? undefined}>
        <Input
          name="address"
          type="email"
          defaultValue={typed.address}
          required
          maxLength={longestAddress}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          dense
        />
      </Field>
      <Field label="Why" optional hint="For you, such as “asked me by phone”.">
        <Input name="note" defaultValue={typed.note} maxLength={200} autoComplete="off" dense />
      </Field>
      <div className="admin-form-buttons">
        <Button type="submit" name="intent" value="add" busy={busy} busyLabel="Adding...">
          Add to the list
        </Button>
      </div>
    </Form>
  );
}
