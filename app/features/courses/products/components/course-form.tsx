import { Form, useNavigation } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/input.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Textarea } from "~/ui/textarea.tsx";
import { useFocusOnComplaint } from "../../components/complaint.ts";
import { SlugField } from "../../components/slug-field.tsx";
import type { Problem, TypedCourse } from "../../forms/commands.server.ts";
import { longestDescription, longestTitle } from "../texts.ts";

type Props = {
  id: string;
  typed: TypedCourse;
  /** 0 for a course that does not exist yet. */
  revision: number;
  problem: Problem<TypedCourse> | null;
  /** Then some have a saved link that would lead nowhere. */
  hasStudents?: boolean;
};

/** A course's own words: title, slug, description, price (spec 5, Admin forms). */
export function CourseForm({ id, typed, revision, problem, hasStudents = false }: Props) {
  const { state, formData } = useNavigation();
  const busy = state !== "idle" && formData?.get("intent") === "save";
  const shown = problem?.typed ?? typed;
  const { complaints = {}, theirs } = problem ?? {};
  const form = useFocusOnComplaint(problem);
  const isNew = revision === 0;
  return (
    <Form ref={form} method="post" noValidate className="desk-form" preventScrollReset>
      <input type="hidden" name="intent" value="save" />
      <input type="hidden" name="id" value={id} />
      {/* Controlled by its key: after a save the form is opened anew, on the new revision. */}
      <input
        key={theirs?.revision ?? revision}
        type="hidden"
        name="revision"
        defaultValue={theirs?.revision ?? revision}
      />
      {theirs && <TheirVersion mine={shown} theirs={theirs.typed} id={id} />}
      <Field label="Title" error={complaints.title}>
        <Input name="title" defaultValue={shown.title} required maxLength={longestTitle} dense />
      </Field>
      <SlugField
        kind="course"
        id={isNew ? undefined : id}
        defaultValue={shown.slug}
        error={complaints.slug}
        proposal={problem?.proposal}
        hint={
          hasStudents
            ? "The end of its address, /courses/… Links to the old one, and bookmarks of students, stop working when you change it."
            : "The end of its address: /courses/…"
        }
      />
      <Field label="Description" optional error={complaints.description}>
        <Textarea
          name="description"
          defaultValue={shown.description}
          maxLength={longestDescription}
          rows={4}
        />
      </Field>
      <Field
        label="Price"
        hint="In US dollars, like 197 or 197.50. 0 is free."
        error={complaints.price}
      >
        <Input
          name="price"
          defaultValue={shown.price}
          required
          inputMode="decimal"
          autoComplete="off"
          dense
          className="price-field"
        />
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
} as const;

function TheirVersion({
  mine,
  theirs,
  id,
}: {
  mine: TypedCourse;
  theirs: TypedCourse;
  id: string;
}) {
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
            <dd>{theirs[name] || "(empty)"}</dd>
          </div>
        ))}
      </dl>
      <p>
        Save again to put yours in its place, or{" "}
        <a href={`/admin/courses/${id}`}>take the stored one</a>.
      </p>
    </Notice>
  );
}
