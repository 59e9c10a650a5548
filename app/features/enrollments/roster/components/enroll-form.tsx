import { useEffect, useRef, useState } from "react";
import { Form } from "react-router";
import { PersonField } from "~/features/accounts/search/components/person-field.tsx";
import type { CourseChoice } from "~/features/courses/products/schema.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import type { Complaint } from "../schema.ts";
import { CourseField } from "./course-field.tsx";

type EnrollFormProps = {
  courses: CourseChoice[];
  values: { productId: string; who: string };
  complaint: Complaint | null;
  /** The address that was sent is nobody's. */
  nobody: boolean;
  busy: boolean;
};

/** A course and somebody with an account (spec 5, Admin forms). */
export function EnrollForm({ courses, values, complaint, nobody, busy }: EnrollFormProps) {
  const [productId, setProductId] = useState(values.productId);
  const select = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (complaint?.field === "productId") select.current?.focus();
  }, [complaint]);
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
        error={complaint?.field === "productId" ? complaint.message : undefined}
        onChange={setProductId}
      />
      <PersonField
        label="Student"
        name="who"
        value={values.who}
        complaint={complaint}
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
