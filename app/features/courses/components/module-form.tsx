import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import { Select } from "~/ui/select.tsx";
import type { TypedModule } from "../course-forms.server.ts";
import { longestTitle } from "../messages.ts";
import type { CourseChoice } from "../schema.ts";
import { courseLabel } from "./course-filter.tsx";
import { EditedForm, type EditedFormProps } from "./edited-form.tsx";

type Props = EditedFormProps<TypedModule> & { courses: CourseChoice[] };

/** Form for a module's course, title and order number (spec 5, Admin forms). */
export function ModuleForm({ courses, ...form }: Props) {
  const titleOf = (courseId: string) => courses.find((course) => course.id === courseId)?.title;
  return (
    <EditedForm
      {...form}
      thing="module"
      listStored={({ productId, title, orderNum }) => [
        ["Course", titleOf(productId) ?? "Another course"],
        ["Title", title],
        ["Order number", orderNum],
      ]}
    >
      {({ defaults, fieldErrors, base, isNew, readOnly }) => (
        <>
          <input type="hidden" name="orderBefore" value={isNew ? "" : base.typed.orderNum} />
          <Field
            label="Course"
            error={fieldErrors.productId}
            hint={
              isNew
                ? undefined
                : "In another course, its lessons come along, and students keep their progress."
            }
          >
            <Select name="productId" defaultValue={defaults.productId} required dense>
              <option value="">Choose a course</option>
              {courses.map((course) => (
                <option key={course.id} value={course.id}>
                  {courseLabel(course)}
                </option>
              ))}
            </Select>
          </Field>
          <Field label="Title" error={fieldErrors.title}>
            <Input
              name="title"
              defaultValue={defaults.title}
              required
              maxLength={longestTitle}
              dense
              readOnly={readOnly}
            />
          </Field>
          <Field
            label="Order number"
            hint="Modules are studied in this order. Of two with the same number, the older one comes first."
            error={fieldErrors.orderNum}
          >
            <Input
              type="number"
              name="orderNum"
              min={1}
              step={1}
              defaultValue={defaults.orderNum}
              required
              dense
              className="price-field"
              readOnly={readOnly}
            />
          </Field>
        </>
      )}
    </EditedForm>
  );
}
