import { useEffect, useRef, useState } from "react";
import { Form } from "react-router";
import { PersonField } from "~/features/accounts/components/person-field.tsx";
import type { FieldError } from "~/features/auth/schema.ts";
import type { CourseChoice } from "~/features/courses/schema.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { CourseField } from "./course-field.tsx";

type EnrollFormProps = {
  courses: CourseChoice[];
  values: { productId: string; who: string };
  fieldError: FieldError | null;
  /** The address that was sent is nobody's. */
  nobody: boolean;
  busy: boolean;
};

/** A course and somebody with an account (spec 5, Admin forms). */
export function EnrollForm({ courses, values, fieldError, nobody, busy }: EnrollFormProps) {
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
    <Form method="post" noValidate className="desk-form">
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
        remedy={nobody && inviting(values.who, "Invite by email instead")}
        whenNobody={(typed) =>
          // Said already, by the complaint.
          nobody && typed === values.who ? null : (
            <>Nobody found: {inviting(typed, "invite by email instead")}</>
          )
        }
      />
      <div className="desk-form-buttons">
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
