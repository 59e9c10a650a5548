import type { MouseEvent } from "react";
import { Form, useNavigation } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input, Textarea } from "~/ui/inputs.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Select } from "~/ui/select.tsx";

import type { CourseFormError, SavedForm, TypedCourse } from "../course-forms.server.ts";
import { lessonEmailNames, longestDescription, longestTitle } from "../messages.ts";
import { useFocusOnError } from "./focus-on-error.ts";
import { SlugField } from "./slug-field.tsx";
import { useEdited } from "./use-edited.ts";

type Props = {
  id: string;
  typed: TypedCourse;
  revision: number;
  problem: CourseFormError<TypedCourse> | null;
  saved?: SavedForm<TypedCourse> | null;
  hasStudents?: boolean;
};

/** Form for a course's title, slug, description, price and lesson emails (spec 5, Admin forms). */
export function CourseForm({ id, hasStudents = false, saved = null, ...opened }: Props) {
  const { state, formData } = useNavigation();
  const busy = state !== "idle" && formData?.get("intent") === "save";
  const { form, defaults, base, problem, onSubmit, takeStored } = useEdited({ ...opened, saved });
  const { fieldErrors = {}, theirs } = problem ?? {};
  useFocusOnError(form, problem);
  const isNew = opened.revision === 0;
  // Creating leads to another page: text typed meanwhile would be lost.
  const readOnly = isNew && busy;
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
      {problem && theirs && (
        <TheirVersion mine={problem.typed} theirs={theirs} id={id} onTake={takeStored} />
      )}
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
      <SlugField
        kind="course"
        id={isNew ? undefined : id}
        defaultValue={defaults.slug}
        error={fieldErrors.slug}
        proposal={problem?.proposal}
        revision={base.revision}
        readOnly={readOnly}
        hint={
          hasStudents
            ? "The end of its address, /courses/… Links to the old one, and bookmarks of students, stop working when you change it."
            : "The end of its address: /courses/…"
        }
      />
      <Field label="Description" optional error={fieldErrors.description}>
        <Textarea
          name="description"
          defaultValue={defaults.description}
          maxLength={longestDescription}
          rows={4}
          readOnly={readOnly}
        />
      </Field>
      <Field
        label="Price"
        hint="In US dollars, like 197 or 197.50. 0 is free."
        error={fieldErrors.price}
      >
        <Input
          name="price"
          defaultValue={defaults.price}
          required
          inputMode="decimal"
          autoComplete="off"
          dense
          className="price-field"
          readOnly={readOnly}
        />
      </Field>
      <Field
        label="When a lesson opens"
        hint="At eight in the morning where the student is, once a day at most. “The lesson itself” also sends the lessons of day 0, as soon as somebody enrolls."
        error={fieldErrors.lessonEmails}
      >
        <Select name="lessonEmails" defaultValue={defaults.lessonEmails} dense>
          {Object.entries(lessonEmailNames).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <div>
        <Button type="submit" busy={busy} busyLabel="Saving...">
          {isNew ? "Create course" : "Save course"}
        </Button>
      </div>
    </Form>
  );
}

const labels = {
  title: "Title",
  slug: "Slug",
  description: "Description",
  price: "Price",
  lessonEmails: "When a lesson opens",
} as const;

const shown = (name: keyof typeof labels, value: string) =>
  name === "lessonEmails" ? lessonEmailNames[value as keyof typeof lessonEmailNames] : value;

type TheirProps = {
  mine: TypedCourse;
  theirs: TypedCourse;
  id: string;
  onTake: (event: MouseEvent) => void;
};

function TheirVersion({ mine, theirs, id, onTake }: TheirProps) {
  const differing = (Object.keys(labels) as (keyof typeof labels)[]).filter(
    (name) => mine[name].trim() !== theirs[name],
  );
  return (
    <Notice tone="warning" live title="This course was changed elsewhere since you opened it">
      <p>Nothing of yours is saved yet. Below is what you typed; this is stored now:</p>
      <dl className="their-version">
        {differing.map((name) => (
          <div key={name}>
            <dt>{labels[name]}</dt>
            <dd>{shown(name, theirs[name]) || "(empty)"}</dd>
          </div>
        ))}
      </dl>
      <p>
        Save again to put yours in its place, or{" "}
        <a href={`/admin/courses/${id}`} onClick={onTake}>
          take the stored one
        </a>
        .
      </p>
    </Notice>
  );
}
