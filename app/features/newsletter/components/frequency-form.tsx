import type { ReactNode } from "react";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Textarea } from "~/ui/inputs.tsx";
import { MessagePage } from "~/ui/message-page.tsx";
import { useSite } from "~content/use-site.ts";
import { leaveReasons } from "../messages.ts";
import type { FrequencyChange } from "../schema.ts";

type FrequencyFormProps = { token: string; monthly: boolean; isPaused: boolean };

/** Once a month, once a week, a pause or its end: whatever is not so already, a button each. */
export function FrequencyForm({ token, monthly, isPaused }: FrequencyFormProps) {
  const choice = (change: FrequencyChange, label: string) => (
    <Button type="submit" name="change" value={change} variant="outline">
      {label}
    </Button>
  );
  return (
    <form
      method="post"
      action={`/newsletter/frequency?token=${encodeURIComponent(token)}`}
      className="flex flex-wrap gap-3"
    >
      {isPaused && choice("go-on", "End the pause")}
      {monthly ? choice("weekly", "Once a week again") : choice("monthly", "Once a month instead")}
      {!isPaused && choice("pause-30", "A pause of 30 days")}
      {!isPaused && choice("pause-90", "A pause of 90 days")}
    </form>
  );
}

type ReasonQuestionProps = {
  token: string;
  values?: { reason?: string | undefined; text?: string | undefined } | undefined;
  error?: string | undefined;
};

/** Asks those who have unsubscribed why. It is theirs to answer, and nothing depends on it. */
export function ReasonQuestion({ token, values, error }: ReasonQuestionProps) {
  return (
    <form
      method="post"
      action={`/newsletter/unsubscribed?token=${encodeURIComponent(token)}`}
      className="grid gap-5 border-t border-line pt-8"
    >
      <fieldset>
        <legend>
          <h2 className="text-lg">If you like: why?</h2>
        </legend>
        <div className="mt-3">
          {Object.entries(leaveReasons).map(([value, label]) => (
            <label key={value} className="checkbox">
              <input
                type="radio"
                name="reason"
                value={value}
                defaultChecked={values?.reason === value}
              />
              <span>{label}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <Field label="In your own words" id="leave-text" optional error={error}>
        <Textarea
          name="text"
          rows={3}
          maxLength={300}
          defaultValue={values?.text}
          autoFocus={Boolean(error)}
        />
      </Field>
      <p>
        <Button type="submit" variant="outline">
          Send
        </Button>
      </p>
    </form>
  );
}

/** For a link that this site did not make, or that was cut off. */
export function InvalidLink({ head }: { head: ReactNode }) {
  const site = useSite();
  return (
    <MessagePage title="This link does not work" lead="It may have been cut off on its way to you.">
      {head}
      <p>
        Please use the link at the end of one of my emails. If that fails as well, write to{" "}
        <a href={`mailto:${site.email}`}>{site.email}</a>, and I’ll take you off the list by hand.
      </p>
    </MessagePage>
  );
}
