import { useEffect, useRef } from "react";
import { Form } from "react-router";
import type { CourseChoice } from "~/features/courses/products/schema.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/input.tsx";
import { CourseField } from "../../roster/components/course-field.tsx";
import type { Complaint } from "../../roster/schema.ts";

type InviteFormProps = {
  courses: CourseChoice[];
  values: { productId: string; email: string; name: string };
  complaint: Complaint | null;
  busy: boolean;
};

/** Whom to ask into which course, by letter. */
export function InviteForm({ courses, values, complaint, busy }: InviteFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const field = complaint && form.current?.elements.namedItem(complaint.field);
    if (field instanceof HTMLElement) field.focus();
  }, [complaint]);
  const errorOf = (field: string) => (complaint?.field === field ? complaint.message : undefined);
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
        hint="How the letter greets the person, who can change it."
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
