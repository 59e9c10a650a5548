import { type ComponentType, type ReactNode, useEffect, useRef, useState } from "react";
import type { FieldError } from "~/features/auth/schema.ts";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import type { PersonBoxProps } from "./person-box.tsx";

type PersonFieldProps = {
  label: string;
  name: string;
  value: string;
  fieldError: FieldError | null;
  remedy?: ReactNode;
  whenNobody: (typed: string) => ReactNode;
};

type Box = { Box: ComponentType<PersonBoxProps>; start: string; focused: boolean };

/** A field for an account: an email input at first and without scripts, then a search box. */
export function PersonField({
  label,
  name,
  value,
  fieldError,
  remedy,
  whenNobody,
}: PersonFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const error = fieldError?.field === name ? fieldError.message : undefined;
  const [box, setBox] = useState<Box | null>(null);
  useEffect(() => {
    let isGone = false;
    import("./person-box.tsx").then(
      ({ PersonBox }) => {
        const plain = input.current;
        if (isGone || !plain) return;
        const focused = document.activeElement === plain;
        setBox({ Box: PersonBox, start: plain.value, focused });
      },
      // If the code fails to load, the plain field stays.
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, []);
  useEffect(() => {
    if (fieldError?.field === name) input.current?.focus();
  }, [fieldError, name]);
  return (
    <Field
      label={label}
      error={
        error && (
          <>
            {error} {remedy}
          </>
        )
      }
      hint={
        box ? "Part of a name or of an email address will do." : "The email address of the account."
      }
    >
      {box ? (
        <box.Box {...box} ref={input} name={name} whenNobody={whenNobody} />
      ) : (
        <Input
          ref={input}
          name={name}
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={value}
          autoFocus={error !== undefined}
        />
      )}
    </Field>
  );
}
