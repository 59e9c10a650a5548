import { Field } from "~/ui/field.tsx";
import { Input, Textarea } from "~/ui/inputs.tsx";
import { Select } from "~/ui/select.tsx";
import type { TypedCourse } from "../course-forms.server.ts";
import {
  courseFieldLabels,
  courseFieldText,
  lessonEmailNames,
  longestDescription,
  longestTitle,
} from "../messages.ts";
import { EditedForm, type EditedFormProps } from "./edited-form.tsx";
import { SlugField } from "./slug-field.tsx";

type Props = EditedFormProps<TypedCourse> & { comingSoonHint: string };

/** Form for a course's title, slug, description, price and lesson emails (spec 5, Admin forms). */
export function CourseForm({ comingSoonHint, ...form }: Props) {
  return (
    <EditedForm {...form} thing="course" listStored={differing}>
      {({ defaults, fieldErrors, problem, base, isNew, readOnly }) => (
        <>
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
            id={isNew ? undefined : form.id}
            defaultValue={defaults.slug}
            error={fieldErrors.slug}
            proposal={problem?.proposal}
            revision={base.revision}
            readOnly={readOnly}
            hint={
              isNew
                ? "The end of its address: /courses/…"
                : "The end of its address: /courses/… When you change it, the old address leads to the new one: links and bookmarks go on working."
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
          <Field label="Coming soon" hint={comingSoonHint} error={fieldErrors.comingSoon}>
            <Select name="comingSoon" defaultValue={defaults.comingSoon} dense>
              <option value="no">No</option>
              <option value="yes">Yes</option>
            </Select>
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
        </>
      )}
    </EditedForm>
  );
}

function differing(theirs: TypedCourse, mine: TypedCourse) {
  return (Object.keys(theirs) as (keyof TypedCourse)[])
    .filter((name) => mine[name].trim() !== theirs[name])
    .map(
      (name) =>
        [courseFieldLabels[name], courseFieldText(name, theirs[name]) || "(empty)"] as const,
    );
}
