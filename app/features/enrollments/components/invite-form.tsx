import { useEffect, useRef } from "react";
import { Form } from "react-router";
import type { FieldError } from "~/features/auth/schema.ts";
import type { CourseChoice } from "~/features/courses/schema.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import { CourseField } from "./course-field.tsx";

type InviteFormProps = {
  courses: CourseChoice[];
  values: { productId: string; email: string; name: string };
  fieldError: FieldError | null;
  busy: boolean;
};

/** Whom to ask into which course, by email. */
export function InviteForm({ courses, values, fieldError, busy }: InviteFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const field = fieldError && form.current?.elements.namedItem(fieldError.field);
    if (field instanceof HTMLElement) field.focus();
  }, [fieldError]);
  const errorOf = (field: string) => (fieldError?.field === field ? fieldError.message : undefined);
  return (
    <Form ref={form} method="post" noValidate className="desk-form">
      <input type="hidden" name="intent" value="invite" />
      <CourseField courses={courses} value={values.productId} error={errorOf("productId")} />
      <Field label="Email" error={errorOf("email")}>
        <Input
          name="email"
          type="email"
          inputMode="email"
          autoComplete="off"
          defaultValue={values.email}
          autoFocus={errorOf("email") !== undefined}
        />
      </Field>
      <Field
        label="Name"
        optional
        error={errorOf("name")}
        hint="How the email greets the person, who can change it."
      >
        <Input
          name="name"
          autoComplete="off"
          defaultValue={values.name}
          autoFocus={errorOf("name") !== undefined}
        />
      </Field>
      <div className="desk-form-buttons">
        <Button type="submit" busy={busy} busyLabel="Sending...">
          Send the invitation
        </Button>
        <ButtonLink href="/admin/enrollments" variant="ghost">
          Cancel
        </ButtonLink>
      </div>
    </Form>
  );
}
