import { type Ref, useEffect, useRef, useState } from "react";
import { Form } from "react-router";
import { PersonField } from "~/features/accounts/components/person-field.tsx";
import type { FieldError } from "~/features/auth/schema.ts";
import type { CourseChoice } from "~/features/courses/schema.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import { Select } from "~/ui/select.tsx";
import { enrollmentMessages } from "../messages.ts";

type EnrollFormProps = {
  courses: CourseChoice[];
  values: { productId: string; who: string };
  fieldError: FieldError | null;
  busy: boolean;
};

/** A course and somebody with an account (spec 5, Admin forms). */
export function EnrollForm({ courses, values, fieldError, busy }: EnrollFormProps) {
  const hasNoAccount = fieldError?.message === enrollmentMessages.noAccount;
  const [productId, setProductId] = useState(values.productId);
  const select = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (fieldError?.field === "productId") select.current?.focus();
  }, [fieldError]);
  const inviting = (email: string, words: string) => (
    <a href={`/admin/enrollments/invite?${new URLSearchParams({ email, course: productId })}`}>
      {words}
    </a>
  );
  return (
    <Form method="post" noValidate className="admin-form">
      <CourseField
        ref={select}
        courses={courses}
        value={productId}
        error={fieldError?.field === "productId" ? fieldError.message : undefined}
        onChange={setProductId}
      />
      <PersonField
        label="Student"
        name="who"
        value={values.who}
        fieldError={fieldError}
        remedy={hasNoAccount && inviting(values.who, "Invite by email instead")}
        whenNobody={(typed) =>
          // The field's error says it.
          hasNoAccount && typed === values.who ? null : (
            <>Nobody found: {inviting(typed, "invite by email instead")}</>
          )
        }
      />
      <div className="admin-form-buttons">
        <Button type="submit" busy={busy} busyLabel="Enrolling...">
          Enroll
        </Button>
        <ButtonLink href="/admin/enrollments" variant="ghost">
          Cancel
        </ButtonLink>
      </div>
    </Form>
  );
}

type InviteFormProps = {
  courses: CourseChoice[];
  values: { productId: string; email: string; name: string };
  fieldError: FieldError | null;
  busy: boolean;
};

export function InviteForm({ courses, values, fieldError, busy }: InviteFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const field = fieldError && form.current?.elements.namedItem(fieldError.field);
    if (field instanceof HTMLElement) field.focus();
  }, [fieldError]);
  const errorOf = (field: string) => (fieldError?.field === field ? fieldError.message : undefined);
  return (
    <Form ref={form} method="post" noValidate className="admin-form">
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
      <div className="admin-form-buttons">
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

type CourseFieldProps = {
  courses: CourseChoice[];
  value: string;
  error: string | undefined;
  ref?: Ref<HTMLSelectElement>;
  onChange?: (productId: string) => void;
};

function CourseField({ courses, value, error, ref, onChange }: CourseFieldProps) {
  return (
    <Field
      label="Course"
      error={error}
      hint={
        courses.length === 0 ? "No course is active. Activate one under Courses first." : undefined
      }
    >
      <Select
        ref={ref}
        name="productId"
        defaultValue={value}
        autoFocus={error !== undefined}
        onChange={onChange && ((event) => onChange(event.target.value))}
      >
        <option value="">Choose a course</option>
        {courses.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </Select>
    </Field>
  );
}
