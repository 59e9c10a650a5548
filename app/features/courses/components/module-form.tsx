import { Form, useNavigation } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Select } from "~/ui/select.tsx";

import type { CourseFormError, SavedForm, TypedModule } from "../course-forms.server.ts";
import { longestTitle } from "../messages.ts";
import type { CourseChoice } from "../schema.ts";
import { courseLabel } from "./course-filter.tsx";
import { useFocusOnError } from "./focus-on-error.ts";
import { useEdited } from "./use-edited.ts";

type Props = {
  id: string;
  typed: TypedModule;
  revision: number;
  courses: CourseChoice[];
  problem: CourseFormError<TypedModule> | null;
  saved?: SavedForm<TypedModule> | null;
};

/** Form for a module's course, title and order number (spec 5, Admin forms). */
export function ModuleForm({ id, courses, saved = null, ...opened }: Props) {
  const { state, formData } = useNavigation();
  const busy = state !== "idle" && formData?.get("intent") === "save";
  const { form, defaults, base, problem, onSubmit, takeStored } = useEdited({ ...opened, saved });
  const { fieldErrors = {}, theirs } = problem ?? {};
  useFocusOnError(form, problem);
  const isNew = opened.revision === 0;
  // Creating leads to another page: text typed meanwhile would be lost.
  const readOnly = isNew && busy;
  const titleOf = (courseId: string) => courses.find((course) => course.id === courseId)?.title;
  return (
    <Form
      ref={form}
      method="post"
      noValidate
      className="desk-form"
      preventScrollReset
      onSubmit={onSubmit}
    >
      <input type="hidden" name="intent" value="save" />
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="revision" value={base.revision} />
      <input type="hidden" name="orderBefore" value={isNew ? "" : base.typed.orderNum} />
      {theirs && (
        <Notice tone="warning" live title="This module was changed elsewhere since you opened it">
          <p>Nothing of yours is saved yet. Below is what you typed; this is stored now:</p>
          <dl className="their-version">
            <div>
              <dt>Course</dt>
              <dd>{titleOf(theirs.productId) ?? "Another course"}</dd>
            </div>
            <div>
              <dt>Title</dt>
              <dd>{theirs.title}</dd>
            </div>
            <div>
              <dt>Order number</dt>
              <dd>{theirs.orderNum}</dd>
            </div>
          </dl>
          <p>
            Save again to put yours in its place, or{" "}
            <a href={`/admin/modules/${id}`} onClick={takeStored}>
              take the stored one
            </a>
            .
          </p>
        </Notice>
      )}
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
      <div>
        <Button type="submit" busy={busy} busyLabel="Saving...">
          {isNew ? "Create module" : "Save module"}
        </Button>
      </div>
    </Form>
  );
}
