import { Form, useNavigation } from "react-router";
import type { CourseChoice } from "~/features/courses/schema.ts";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import { Select } from "~/ui/select.tsx";

/** At once, or at a time. `zone` is the one that the time is read in. */
export function WhenForms({ zone, isScheduled }: { zone: string; isScheduled: boolean }) {
  return (
    <div className="release-when">
      <Form method="post">
        <Button type="submit" name="intent" value="publish">
          Publish all now
        </Button>
      </Form>
      <TimeForm zone={zone} button={isScheduled ? "Move to this time" : "Schedule"} />
      {isScheduled && (
        <Form method="post">
          <Button type="submit" name="intent" value="unschedule" variant="outline">
            Stop the schedule
          </Button>
        </Form>
      )}
    </div>
  );
}

type TimeProps = {
  zone: string;
  button: string;
  /** The drafts that are to be published then; not of a release, which has its own. */
  shown?: string;
};

/** Publishes at a time. */
export function TimeForm({ zone, button, shown }: TimeProps) {
  const busy = useNavigation().formAction !== undefined;
  return (
    <Form method="post" className="release-form">
      {shown && <input type="hidden" name="shown" value={shown} />}
      <Field label="Or at a time" hint={`In the time zone ${zone}.`}>
        <Input type="datetime-local" name="at" required dense />
      </Field>
      <Button type="submit" name="intent" value="schedule" variant="outline" busy={busy}>
        {button}
      </Button>
    </Form>
  );
}

/** Adds a change of a course. */
export function CourseChangeForm({ courses }: { courses: CourseChoice[] }) {
  return (
    <Form method="post" className="release-form">
      <Field label="Course">
        <Select name="courseId" required dense>
          <option value="">Choose a course</option>
          {courses.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Price" optional hint="In dollars. Empty: as it is.">
        <Input name="price" inputMode="decimal" dense />
      </Field>
      <YesNo name="active" label="Active" />
      <YesNo name="comingSoon" label="Coming soon" />
      <Button type="submit" name="intent" value="course" variant="outline">
        Add to the release
      </Button>
    </Form>
  );
}

function YesNo({ name, label }: { name: string; label: string }) {
  return (
    <Field label={label}>
      <Select name={name} dense>
        <option value="">As it is</option>
        <option value="yes">Yes</option>
        <option value="no">No</option>
      </Select>
    </Field>
  );
}

/** On the page where the drafts of a page are looked at: puts them into a release. */
export function AddToRelease({ releases }: { releases: { id: string; title: string }[] }) {
  return (
    <Form method="post" className="release-form">
      <Field label="Or with other changes, in one release">
        <Select name="release" dense>
          <option value="">A new release</option>
          {releases.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Name of a new release" optional>
        <Input name="title" dense />
      </Field>
      <Button type="submit" name="intent" value="release" variant="outline">
        Add to the release
      </Button>
    </Form>
  );
}
