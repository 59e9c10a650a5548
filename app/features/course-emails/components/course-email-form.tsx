import { useEffect, useRef } from "react";
import { Form } from "react-router";
import { courseLabel } from "~/features/courses/components/course-filter.tsx";
import type { CourseChoice } from "~/features/courses/schema.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input, Textarea } from "~/ui/inputs.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Paragraphs } from "~/ui/paragraphs.tsx";
import { Select } from "~/ui/select.tsx";
import { useUnsaved } from "~/ui/unsaved.ts";
import type { PreviewedEmail, SentCourseEmail } from "../course-emails.server.ts";
import {
  courseEmailMessages,
  courseEmailsPath,
  leftOutInWords,
  longest,
  reachedInWords,
} from "../messages.ts";
import type { CourseEmailFields } from "../schema.ts";

type FormProps = {
  courses: CourseChoice[];
  values: CourseEmailFields;
  fieldError: { field: string; message: string } | null;
  busy: boolean;
};

export function CourseEmailForm({ courses, values, fieldError, busy }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const isLost = document.activeElement === document.body && values.text !== "";
    const name = fieldError?.field || (isLost && "text");
    const field = name && form.current?.elements.namedItem(name);
    if (field instanceof HTMLElement) field.focus();
  }, [fieldError, values.text]);
  useUnsaved(() => {
    if (!form.current) return false;
    const typed = new FormData(form.current);
    return Boolean(typed.get("subject") || typed.get("text"));
  });
  const errorOf = (field: string) => (fieldError?.field === field ? fieldError.message : undefined);
  return (
    <Form ref={form} method="post" noValidate className="admin-form">
      {fieldError?.field === "" && <Notice tone="destructive" title={fieldError.message} live />}
      <Field label="Course" error={errorOf("productId")}>
        <Select name="productId" defaultValue={values.productId}>
          <option value="">Choose a course</option>
          {courses.map((course) => (
            <option key={course.id} value={course.id}>
              {courseLabel(course)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Subject" error={errorOf("subject")}>
        <Input
          name="subject"
          defaultValue={values.subject}
          maxLength={longest.subject}
          autoComplete="off"
        />
      </Field>
      <Field
        label="Text"
        error={errorOf("text")}
        hint="A greeting with the student’s name stands before it, and your first name below it. Leave a line empty for a new paragraph."
      >
        <Textarea name="text" className="min-h-64" defaultValue={values.text} />
      </Field>
      <div className="admin-form-buttons">
        <Button type="submit" name="intent" value="preview" busy={busy} busyLabel="One moment...">
          Preview
        </Button>
        <span className="text-sm text-ink-soft">Nothing is sent yet.</span>
      </div>
    </Form>
  );
}

type PreviewProps = {
  preview: PreviewedEmail;
  values: CourseEmailFields;
  busyIntent: string | null;
};

/** The email as it will be sent, whom it reaches, and the button that sends it. */
export function CourseEmailPreview({ preview, values, busyIntent }: PreviewProps) {
  const { course, subject, paragraphs, counts } = preview;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useUnsaved(() => true);
  const leftOut = leftOutInWords(counts);
  const whom = reachedInWords(counts);
  return (
    <section className="admin-form" aria-labelledby="preview">
      <h2 id="preview" ref={heading} tabIndex={-1} className="text-xl outline-none">
        This is what will be sent
      </h2>
      {counts.reached > 0 ? (
        <div>
          <p>
            To <strong>{whom}</strong> of {course}, each by name and with their own links. Students
            who enroll later do not get it.
          </p>
          {leftOut.length > 0 && (
            <p className="mt-1 text-ink-soft">
              Left out: {counts.isMore && "at least "}
              {leftOut.join(", ")}.
            </p>
          )}
        </div>
      ) : (
        <Notice tone="warning" title={courseEmailMessages.noStudents}>
          {leftOut.length > 0 && <p>Left out: {leftOut.join(", ")}.</p>}
        </Notice>
      )}
      <EmailText label="Preview" subject={subject} paragraphs={paragraphs} />
      <Form method="post" className="admin-form-buttons">
        <input type="hidden" name="id" value={preview.id} />
        <HiddenValues values={values} />
        {counts.reached > 0 && (
          <Button
            type="submit"
            name="intent"
            value="send"
            busy={busyIntent === "send"}
            busyLabel="Sending..."
          >
            Send to {whom}
          </Button>
        )}
        <Button type="submit" name="intent" value="edit" variant="outline">
          Back to the text
        </Button>
      </Form>
    </section>
  );
}

/** What was sent, to read again or to begin another with. */
export function SentEmail({ email }: { email: SentCourseEmail }) {
  const { productId, subject, text, paragraphs, course, when } = email;
  return (
    <section className="admin-form" aria-labelledby="sent-email">
      <div>
        <h2 id="sent-email" className="text-xl">
          What you wrote
        </h2>
        <p className="mt-1 text-ink-soft wrap-anywhere">
          To the students of {course}, {when}.
        </p>
      </div>
      <EmailText label="The email" subject={subject} paragraphs={paragraphs} />
      <Form method="post" action={courseEmailsPath} className="admin-form-buttons">
        <HiddenValues values={{ productId, subject, text }} />
        <Button type="submit" name="intent" value="edit" variant="outline">
          Write another from it
        </Button>
        <ButtonLink href={courseEmailsPath} variant="outline">
          Close
        </ButtonLink>
      </Form>
    </section>
  );
}

type EmailTextProps = { label: string; subject: string; paragraphs: string[] };

function EmailText({ label, subject, paragraphs }: EmailTextProps) {
  return (
    <article
      aria-label={label}
      className="rounded-control border border-line bg-surface p-5 sm:p-8"
    >
      <p className="mb-4 border-b border-line pb-4 font-semibold wrap-anywhere">
        <span className="sr-only">Subject: </span>
        {subject}
      </p>
      <Paragraphs of={paragraphs} className="wrap-anywhere" />
    </article>
  );
}

const HiddenValues = ({ values }: { values: CourseEmailFields }) =>
  Object.entries(values).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ));
