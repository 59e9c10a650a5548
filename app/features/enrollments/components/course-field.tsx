import type { Ref } from "react";
import type { CourseChoice } from "~/features/courses/schema.ts";
import { Field } from "~/ui/field.tsx";
import { Select } from "~/ui/select.tsx";

type CourseFieldProps = {
  courses: CourseChoice[];
  value: string;
  error: string | undefined;
  ref?: Ref<HTMLSelectElement>;
  onChange?: (productId: string) => void;
};

/** An active course to choose. */
export function CourseField({ courses, value, error, ref, onChange }: CourseFieldProps) {
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
