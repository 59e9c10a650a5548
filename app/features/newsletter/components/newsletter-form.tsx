import { createContext, use } from "react";
import { Button } from "~/ui/button.tsx";
import { Field, FieldErrorSlot } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import { trap } from "../messages.ts";

/** Which form of the mail provider ours stands for, and in which version; as configured. */
export type NewsletterFormIdentity = { id: string; version: string | null };

/** Set once, around every page; null where signups stay on this site. */
export const FormIdentity = createContext<NewsletterFormIdentity | null>(null);

type Fields = { firstName?: string; email?: string };

type NewsletterFormProps = {
  /** Unlike that of every other form of the page. */
  id: string;
  className?: string;
  /** What was typed, when the server shows the form again. */
  values?: Fields;
  /** What is wrong with it, beside the field in question. */
  errors?: Fields;
};

/**
 * First name and email address; the same in the dialog, the footer, on Home and About (spec 2).
 * An ordinary form. site.ts sends it in place, on pages that hydrate as on those that do not:
 * it only disables the fieldset and marks the button as busy, and React knows nothing of it.
 */
export function NewsletterForm({ id, className = "", values, errors }: NewsletterFormProps) {
  const identity = use(FormIdentity);
  return (
    <form
      id={`${id}-form`}
      method="post"
      action="/newsletter"
      data-newsletter
      data-form-id={identity?.id}
      data-form-version={identity?.version}
      className={`@container ${className}`}
    >
      {/* In a dialog, a footer, a text column: as many columns as there is room for. */}
      <fieldset
        role="presentation"
        className="grid min-w-0 gap-x-5 gap-y-4 @min-[32rem]:grid-cols-2"
      >
        <Field label="First name" id={`${id}-first-name`} error={errors?.firstName}>
          <Input
            name="firstName"
            placeholder="Your first name"
            autoComplete="given-name"
            autoCapitalize="words"
            defaultValue={values?.firstName}
            autoFocus={Boolean(errors?.firstName)}
            required
          />
          <FieldErrorSlot />
        </Field>
        <Field label="Email address" id={`${id}-email`} error={errors?.email}>
          <Input
            name="email"
            type="email"
            placeholder="you@example.com"
            autoComplete="email"
            defaultValue={values?.email}
            autoFocus={Boolean(errors?.email && !errors.firstName)}
            required
          />
          <FieldErrorSlot />
        </Field>
        {/* Only robots find it, and fill it in. Programs that fill in forms for people know no such field. */}
        <div className="honeypot" aria-hidden="true">
          <label htmlFor={`${id}-${trap}`}>Leave this empty</label>
          <input
            id={`${id}-${trap}`}
            name={trap}
            tabIndex={-1}
            autoComplete="off"
            data-1p-ignore
            data-bwignore
            data-lpignore="true"
          />
        </div>
        <Button
          type="submit"
          busyLabel="Subscribing..."
          className="mt-2 @max-[22rem]:w-full @min-[22rem]:justify-self-start"
        >
          Subscribe
        </Button>
      </fieldset>
    </form>
  );
}
