import type { MouseEvent } from "react";
import { Form, useNavigation } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/input.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Select } from "~/ui/select.tsx";
import { Textarea } from "~/ui/textarea.tsx";
import { useFocusOnComplaint } from "../../components/complaint.ts";
import { SlugField } from "../../components/slug-field.tsx";
import type { Problem, Saved, TypedCourse } from "../../forms/commands.server.ts";
import { useEdited } from "../../forms/components/use-edited.ts";
import { lessonMailNames, longestDescription, longestTitle } from "../texts.ts";

type Props = {
  id: string;
  typed: TypedCourse;
  /** 0 for a course that does not exist yet. */
  revision: number;
  problem: Problem<TypedCourse> | null;
  saved?: Saved<TypedCourse> | null;
  /** Then some have a saved link that would lead nowhere. */
  hasStudents?: boolean;
};

/** A course's own words: title, slug, description, price (spec 5, Admin forms), and its letters. */
export function CourseForm({ id, hasStudents = false, saved = null, ...opened }: Props) {
  const { state, formData } = useNavigation();
  const busy = state !== "idle" && formData?.get("intent") === "save";
  const { form, defaults, base, told, onSubmit, takeStored } = useEdited({ ...opened, saved });
  const { complaints = {}, theirs } = told ?? {};
  useFocusOnComplaint(form, told);
  const isNew = opened.revision === 0;
  // What is created leads to another page: what would be typed meanwhile could not be kept.
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
      {told && theirs && (
        <TheirVersion mine={told.typed} theirs={theirs} id={id} onTake={takeStored} />
      )}
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
      <SlugField
        kind="course"
        id={isNew ? undefined : id}
        defaultValue={defaults.slug}
        error={complaints.slug}
        proposal={told?.proposal}
        revision={base.revision}
        readOnly={readOnly}
        hint={
          hasStudents
            ? "The end of its address, /courses/… Links to the old one, and bookmarks of students, stop working when you change it."
            : "The end of its address: /courses/…"
        }
      />
      <Field label="Description" optional error={complaints.description}>
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
        error={complaints.price}
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
        error={complaints.lessonMails}
      >
        <Select name="lessonMails" defaultValue={defaults.lessonMails} dense>
          {Object.entries(lessonMailNames).map(([value, name]) => (
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
  lessonMails: "When a lesson opens",
} as const;

const shown = (name: keyof typeof labels, value: string) =>
  name === "lessonMails" ? lessonMailNames[value as keyof typeof lessonMailNames] : value;

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
