import { useEffect } from "react";
import { Form, useFetcher, useNavigation } from "react-router";
import type { CourseChoice } from "~/features/courses/schema.ts";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Checkbox, Input } from "~/ui/inputs.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Select } from "~/ui/select.tsx";
import { readersInWords } from "../messages.ts";
import type { IssueCheck } from "../rules.ts";

type Typed = Record<string, string | undefined>;

type ChecksProps = { checks: IssueCheck[]; path: string };

const linksAsked = "The links are being tried.";
const linksUnasked = "The links were not tried this time.";

/** What to look at before an issue goes out; its links are asked once the page is there. */
export function IssueChecks({ checks, path }: ChecksProps) {
  const { load, data } = useFetcher<{ broken?: string[] | null }>();
  useEffect(() => {
    void load(`${path}?links=check`);
  }, [load, path]);
  const { broken } = data ?? {};
  const links = (broken ?? []).map((href) => ({
    title: "A link leads nowhere",
    text: `There is no page at ${href}`,
    href: undefined,
  }));
  const all = [...checks, ...links];
  if (all.length === 0)
    return (
      <Notice tone="success" title="Nothing to look at">
        <p>
          {broken
            ? "Subject, pictures, length and links are as they should be."
            : `Subject, pictures and length are as they should be. ${broken === null ? linksUnasked : linksAsked}`}
        </p>
      </Notice>
    );
  return (
    <ul className="issue-checks" aria-live="polite">
      {all.map(({ title, text, href }) => (
        <li key={title + text}>
          <strong>{title}.</strong> <span className="wrap-anywhere">{text}</span>
          {href && (
            <>
              {" "}
              <a href={href}>Write it now</a>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Sends the draft to the admin alone. */
export function TestForm({ address }: { address: string }) {
  const busy = useNavigation().formData?.get("intent") === "test";
  return (
    <Form method="post" preventScrollReset className="mt-6 flex flex-wrap items-center gap-4">
      <Button type="submit" name="intent" value="test" variant="outline" busy={busy}>
        Send a test to me
      </Button>
      <span className="min-w-0 text-sm wrap-anywhere text-ink-soft">
        It goes to {address} only.
      </span>
    </Form>
  );
}

type ChoiceProps = {
  name: string;
  value: string;
  chosen: string;
  label: string;
  children?: React.ReactNode;
};

function Choice({ name, value, chosen, label, children }: ChoiceProps) {
  return (
    <div className="issue-choice">
      <label className="checkbox">
        <input type="radio" name={name} value={value} defaultChecked={chosen === value} />
        <span>{label}</span>
      </label>
      {children}
    </div>
  );
}

type SendProps = {
  seen: string;
  zone: string;
  courses: CourseChoice[];
  readers: number;
  typed: Typed;
  problem: { field: string; message: string } | null;
};

/** To whom, when and how. Nothing is sent before it has been looked at once more. */
export function SendForm({ seen, zone, courses, readers, typed, problem }: SendProps) {
  const busy = useNavigation().formData?.get("intent") === "review";
  const error = (field: string) => (problem?.field === field ? problem.message : undefined);
  const { kind = "all", when = "now" } = typed;
  return (
    <Form method="post" className="admin-form issue-send" noValidate>
      <input type="hidden" name="seen" value={seen} />
      {problem && problem.field === "" && (
        <Notice tone="destructive" title={problem.message} live />
      )}
      <fieldset>
        <legend>Who gets it</legend>
        <Choice
          {...{ name: "kind", chosen: kind, value: "all" }}
          label={`All readers: ${readersInWords(readers)}`}
        />
        {courses.length > 0 && (
          <Choice {...{ name: "kind", chosen: kind, value: "course" }} label="Students of a course">
            <Field label="Course" error={error("productId")}>
              <Select name="productId" defaultValue={typed.productId} dense>
                <option value="">Choose a course</option>
                {courses.map(({ id, title }) => (
                  <option key={id} value={id}>
                    {title}
                  </option>
                ))}
              </Select>
            </Field>
          </Choice>
        )}
        <Choice
          {...{ name: "kind", chosen: kind, value: "without-account" }}
          label="Readers without an account here"
        />
        <Choice {...{ name: "kind", chosen: kind, value: "new-since" }} label="Readers since a day">
          <Field label="Day" error={error("since")}>
            <Input type="date" name="since" defaultValue={typed.since} dense />
          </Field>
        </Choice>
      </fieldset>
      <fieldset>
        <legend>When</legend>
        <Choice {...{ name: "when", chosen: when, value: "now" }} label="Now" />
        <Choice {...{ name: "when", chosen: when, value: "at" }} label="At a time">
          <Field label="Day and time" hint={`In the time zone ${zone}.`} error={error("at")}>
            <Input type="datetime-local" name="at" defaultValue={typed.at} dense />
          </Field>
          <Checkbox
            name="inMorning"
            defaultChecked={typed.inMorning === "on"}
            label="At this hour where each reader is, if that is known"
          />
        </Choice>
        <Choice
          {...{ name: "when", chosen: when, value: "welcome" }}
          label="To each new reader, so many days after they confirm"
        >
          <Field
            label="Days"
            hint="0 is at once; else at eight in the morning where they are. Who gets it, above, and how, below, do not matter then."
            error={error("welcomeDay")}
          >
            <Input
              name="welcomeDay"
              inputMode="numeric"
              defaultValue={typed.welcomeDay ?? "1"}
              maxLength={2}
              dense
            />
          </Field>
        </Choice>
      </fieldset>
      <fieldset>
        <legend>How</legend>
        <Checkbox
          name="inArchive"
          defaultChecked={typed.seen === undefined || typed.inArchive === "on"}
          label="Show it in the archive on the site"
        />
        <div className="issue-choice">
          <Checkbox
            name="isPortion"
            defaultChecked={typed.isPortion === "on"}
            label="Send a first portion, then wait for me"
          />
          <Field label="Per cent" error={error("portion")}>
            <Input
              name="portion"
              inputMode="numeric"
              defaultValue={typed.portion ?? "10"}
              maxLength={2}
              dense
            />
          </Field>
        </div>
        <Checkbox
          name="warmUp"
          defaultChecked={typed.warmUp === "on"}
          label="My domain is new to sending: 200 on the first day, twice as many on each day after it"
        />
      </fieldset>
      <div className="admin-form-buttons">
        <Button type="submit" name="intent" value="review" busy={busy} busyLabel="One moment...">
          Continue
        </Button>
        <span className="text-sm text-ink-soft">Nothing is sent yet.</span>
      </div>
    </Form>
  );
}

export type SendReview = {
  subject: string;
  when: string;
  /** Null for the welcome series. */
  to: { whom: string; count: number; isExact: boolean; isNow: boolean } | null;
  notes: string[];
};

/** What will happen, and the button that does it. */
export function SendReviewForm({ review, typed }: { review: SendReview; typed: Typed }) {
  const sent = useNavigation().formData?.get("intent");
  const { to } = review;
  const readers = to ? `${to.isExact ? "" : "about "}${readersInWords(to.count)}` : "";
  const [question, deed] = !to
    ? ["Add it to the welcome series?", "Add to the series"]
    : to.isNow
      ? ["Send it now?", `Send to ${readers}`]
      : ["Schedule it?", "Schedule"];
  return (
    <section className="admin-form" aria-labelledby="review">
      <h2 id="review" className="text-xl">
        {question}
      </h2>
      <dl className="issue-review">
        <dt>Subject</dt>
        <dd className="wrap-anywhere">{review.subject}</dd>
        {to && (
          <>
            <dt>To</dt>
            <dd>
              {readers}: {to.whom}
            </dd>
          </>
        )}
        <dt>When</dt>
        <dd>{review.when}</dd>
        {review.notes.map((note) => (
          <dd key={note}>{note}</dd>
        ))}
      </dl>
      <Form method="post" className="admin-form-buttons">
        {Object.entries(typed).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Button type="submit" name="intent" value="start" busy={sent === "start"}>
          {deed}
        </Button>
        <Button type="submit" name="intent" value="back" variant="outline">
          Back
        </Button>
      </Form>
    </section>
  );
}
