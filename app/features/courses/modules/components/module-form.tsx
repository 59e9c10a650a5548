import { Form, useNavigation } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/input.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Select } from "~/ui/select.tsx";
import { useFocusOnComplaint } from "../../components/complaint.ts";
import type { Problem, TypedModule } from "../../forms/commands.server.ts";
import type { CourseChoice } from "../../products/queries.server.ts";
import { longestTitle } from "../../products/texts.ts";

type Props = {
  id: string;
  typed: TypedModule;
  /** 0 for a module that does not exist yet. */
  revision: number;
  courses: CourseChoice[];
  problem: Problem<TypedModule> | null;
};

/** A module's course, title and place (spec 5, Admin forms). */
export function ModuleForm({ id, typed, revision, courses, problem }: Props) {
  const { state, formMethod } = useNavigation();
  const busy = state !== "idle" && formMethod === "POST";
  const shown = problem?.typed ?? typed;
  const { complaints = {}, theirs } = problem ?? {};
  const form = useFocusOnComplaint(problem);
  const isNew = revision === 0;
  const titleOf = (courseId: string) => courses.find((course) => course.id === courseId)?.title;
  return (
    <Form ref={form} method="post" noValidate className="desk-form" preventScrollReset>
      <input type="hidden" name="intent" value="save" />
      <input type="hidden" name="id" value={id} />
      <input
        key={theirs?.revision ?? revision}
        type="hidden"
        name="revision"
        defaultValue={theirs?.revision ?? revision}
      />
      <input
        key={`order-${typed.orderNum}`}
        type="hidden"
        name="orderBefore"
        defaultValue={isNew ? "" : typed.orderNum}
      />
      {theirs && (
        <Notice tone="warning" live title="This module was changed elsewhere since you opened it">
          <p>Nothing of yours is saved yet. Below is what you typed; this is stored now:</p>
          <dl className="their-version">
            <div>
              <dt>Course</dt>
              <dd>{titleOf(theirs.typed.productId) ?? "Another course"}</dd>
            </div>
            <div>
              <dt>Title</dt>
              <dd>{theirs.typed.title}</dd>
            </div>
            <div>
              <dt>Order number</dt>
              <dd>{theirs.typed.orderNum}</dd>
            </div>
          </dl>
          <p>
            Save again to put yours in its place, or{" "}
            <a href={`/admin/modules/${id}`}>take the stored one</a>.
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
        <Select name="productId" defaultValue={shown.productId} required dense>
          <option value="">Choose a course</option>
          {courses.map((course) => (
            <option key={course.id} value={course.id}>
              {course.active ? course.title : `${course.title} (inactive)`}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Title" error={complaints.title}>
        <Input name="title" defaultValue={shown.title} required maxLength={longestTitle} dense />
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
          defaultValue={shown.orderNum}
          required
          dense
          className="price-field"
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
