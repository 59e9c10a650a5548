import { useEffect, useRef } from "react";
import { Form } from "react-router";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { LinkedConfirmDialog } from "~/ui/confirm-dialog.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import type { ShownLessonDays } from "../lesson-days.server.ts";

type LessonDaysPanelProps = { days: ShownLessonDays; id: string; busy: boolean };

/** From when the days of this student's lessons count, and how that is changed. */
export function LessonDaysPanel({ days, id, busy }: LessonDaysPanelProps) {
  const { words, state, date, error, question } = days;
  const here = `/admin/enrollments/${id}`;
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (days.error) box.current?.focus();
  }, [days]);
  return (
    <section aria-labelledby="lesson-days" className="mb-10">
      <h2 id="lesson-days" className="mb-3 text-xl/[1.14]">
        When lessons open
      </h2>
      <p className="mb-5 max-w-[46rem]">{words}</p>
      <Form method="get" action={here} preventScrollReset className="admin-form">
        <Field
          label="Count the days from"
          hint="Midnight in your time zone. Lessons of day 0 are always open. You are asked once more before anything changes."
          error={error}
        >
          <Input
            key={date}
            ref={box}
            dense
            type="date"
            name="days"
            className="max-w-48"
            defaultValue={date}
          />
        </Field>
        <div className="admin-form-buttons">
          <Button type="submit" variant="outline">
            Count from this day
          </Button>
          {state !== "open" && (
            <ButtonLink variant="outline" href={`${here}?days=open`}>
              Open every lesson
            </ButtonLink>
          )}
          {state !== "enrollment" && (
            <ButtonLink variant="outline" href={`${here}?days=enrollment`}>
              Count from the enrollment
            </ButtonLink>
          )}
        </div>
      </Form>
      {question && (
        <LinkedConfirmDialog
          id="move-days"
          title={question.title}
          closeHref={here}
          form={
            <Form method="post" action={here}>
              <input type="hidden" name="days" value={question.days} />
              <input type="hidden" name="daysFrom" value={question.daysFrom} />
              <Button type="submit" name="intent" value="days" busy={busy} busyLabel="Changing...">
                Change the days
              </Button>
            </Form>
          }
        >
          <ul className="admin-list">
            {question.lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
            <li>No email is sent about this change.</li>
          </ul>
        </LinkedConfirmDialog>
      )}
    </section>
  );
}
