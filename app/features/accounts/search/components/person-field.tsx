import { type ComponentType, type ReactNode, useEffect, useRef, useState } from "react";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/input.tsx";
import type { Complaint } from "../../components/credential-fields.tsx";
import type { PersonBoxProps } from "./person-box.tsx";

type PersonFieldProps = {
  label: string;
  name: string;
  value: string;
  complaint: Complaint;
  /** What to do about the complaint. */
  remedy?: ReactNode;
  /** What to offer when nobody is found. */
  whenNobody: (typed: string) => ReactNode;
};

type Box = { Box: ComponentType<PersonBoxProps>; start: string; focused: boolean };

/**
 * Somebody with an account. At first, and where scripts are off, a field for her email address;
 * once its code has come, a search box that takes over what was typed meanwhile.
 */
export function PersonField({
  label,
  name,
  value,
  complaint,
  remedy,
  whenNobody,
}: PersonFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const error = complaint?.field === name ? complaint.message : undefined;
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
      // Without it the field goes on as it is.
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, []);
  useEffect(() => {
    if (complaint?.field === name) input.current?.focus();
  }, [complaint, name]);
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
