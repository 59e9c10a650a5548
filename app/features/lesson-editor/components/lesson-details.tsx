import { useRef } from "react";
import { courseLabel } from "~/features/courses/components/course-filter.tsx";
import { SlugField } from "~/features/courses/components/slug-field.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import { Select } from "~/ui/select.tsx";

import type { LessonCourseChoice } from "../lessons.server.ts";
import type { FieldErrors, Fields } from "../messages.ts";

type Props = {
  lessonId: string;
  isNew: boolean;
  fields: Fields;
  errors: FieldErrors;
  proposal: string | null;
  courses: LessonCourseChoice[];
  onModule: (moduleId: string) => void;
};

export function LessonDetails({
  lessonId,
  isNew,
  fields,
  errors,
  proposal,
  courses,
  onModule,
}: Props) {
  const order = useRef<HTMLInputElement>(null);
  const isOrderTyped = useRef(false);

  /** A new lesson goes after the others of its module, unless a number was typed. */
  function place(moduleId: string) {
    onModule(moduleId);
    const modules = courses.flatMap((course) => course.modules);
    const module = modules.find(({ id }) => id === moduleId);
    if (!isNew || isOrderTyped.current || !module || !order.current) return;
    order.current.value = String(module.nextOrder);
  }

  return (
    <div className="lesson-details">
      <Field label="Title" error={errors.title}>
        <Input name="title" dense defaultValue={fields.title} autoComplete="off" required />
      </Field>
      <Field label="Module" error={errors.moduleId}>
        <Select
          name="moduleId"
          dense
          defaultValue={fields.moduleId}
          required
          onChange={({ target }) => place(target.value)}
        >
          <option value="">Choose a module</option>
          {courses.map(({ id, title, active, modules }) => (
            <optgroup key={id} label={courseLabel({ title, active })}>
              {modules.map((module) => (
                <option key={module.id} value={module.id}>
                  {module.title}
                </option>
              ))}
            </optgroup>
          ))}
        </Select>
      </Field>
      <SlugField
        kind="lesson"
        id={lessonId}
        defaultValue={fields.slug}
        error={errors.slug}
        proposal={proposal ?? undefined}
        hint="The end of the lesson’s address."
      />
      <Field
        label="Order number"
        error={errors.orderNum}
        hint="Its place in the module. Of two lessons with the same number, the older comes first."
      >
        <Input
          ref={order}
          name="orderNum"
          type="number"
          inputMode="numeric"
          min={1}
          step={1}
          dense
          defaultValue={fields.orderNum}
          required
          onInput={() => {
            isOrderTyped.current = true;
          }}
        />
      </Field>
      <Field
        label="Opens on day"
        error={errors.dripDay}
        hint="Days after enrollment on which it opens; 0 is at once."
      >
        <Input
          name="dripDay"
          type="number"
          inputMode="numeric"
          min={0}
          step={1}
          dense
          defaultValue={fields.dripDay}
        />
      </Field>
    </div>
  );
}
