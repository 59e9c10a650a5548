import { Form, useNavigation } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/input.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Select } from "~/ui/select.tsx";
import { useFocusOnComplaint } from "../../components/complaint.ts";
import { courseLabel } from "../../components/course-filter.tsx";
import type { Problem, Saved, TypedModule } from "../../forms/commands.server.ts";
import { useEdited } from "../../forms/components/use-edited.ts";
import type { CourseChoice } from "../../products/schema.ts";
import { longestTitle } from "../../products/texts.ts";

type Props = {
  id: string;
  typed: TypedModule;
  /** 0 for a module that does not exist yet. */
  revision: number;
  courses: CourseChoice[];
  problem: Problem<TypedModule> | null;
  saved?: Saved<TypedModule> | null;
};

/** A module's course, title and place (spec 5, Admin forms). */
export function ModuleForm({ id, courses, saved = null, ...opened }: Props) {
  const { state, formData } = useNavigation();
  const busy = state !== "idle" && formData?.get("intent") === "save";
  const { form, defaults, base, told, onSubmit, takeStored } = useEdited({ ...opened, saved });
  const { complaints = {}, theirs } = told ?? {};
  useFocusOnComplaint(form, told);
  const isNew = opened.revision === 0;
  // What is created leads to another page: what would be typed meanwhile could not be kept.
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
        error={complaints.productId}
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
      <Field label="Title" error={complaints.title}>
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
        error={complaints.orderNum}
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
