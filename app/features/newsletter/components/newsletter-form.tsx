import type { ComponentProps, ReactNode } from "react";
import { useRouteLoaderData } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Dialog } from "~/ui/dialog.tsx";
import { Field, FieldErrorSlot } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import { Section } from "~/ui/page.tsx";
import { useSite } from "~content/use-site.ts";
import { type formSources, newsletterDialogId, trap } from "../messages.ts";

/** Which form of the mail provider ours stands for, and in which version; as configured. */
export type NewsletterFormIdentity = { id: string; version: string | null };

type Fields = { firstName?: string; email?: string };

type NewsletterFormProps = {
  /** Unlike that of every other form of the page. */
  id: string;
  /** Is stored with who signs up by it. */
  source?: (typeof formSources)[number];
  className?: string;
  /** What was typed, when the server shows the form again. */
  values?: Fields;
  /** What is wrong with it, beside the field in question. */
  errors?: Fields;
};

/** First name and email address; the same in the dialog, the footer, on Home and About (spec 2). An
 * ordinary form. site.ts sends it in place, on pages that hydrate as on those that do not: it only
 * disables the fieldset and marks the button as busy, and React knows nothing of it. */
export function NewsletterForm({
  id,
  source,
  className = "",
  values,
  errors,
}: NewsletterFormProps) {
  const root = useRouteLoaderData("root") as
    | { newsletterForm: NewsletterFormIdentity | null }
    | undefined;
  return (
    <form
      id={`${id}-form`}
      method="post"
      action="/newsletter"
      data-newsletter
      data-form-id={root?.newsletterForm?.id}
      data-form-version={root?.newsletterForm?.version}
      className={`@container ${className}`}
    >
      {source && <input type="hidden" name="source" value={source} />}
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

type NewsletterSectionProps = {
  id: string;
  source: NewsletterFormProps["source"];
  title: ReactNode;
  children: ReactNode;
  className?: string;
};

/** The form on a page that is about something else, with what is said of the newsletter there. */
export function NewsletterSection({
  id,
  source,
  title,
  children,
  className = "",
}: NewsletterSectionProps) {
  return (
    <Section id={id} anchor labelledBy={`${id}-title`} className={`columns ${className}`}>
      <div className="column-start">
        <h2 id={`${id}-title`}>{title}</h2>
        <p className="mt-5 max-w-[26rem] text-balance text-ink-soft">{children}</p>
      </div>
      <NewsletterForm id={`${id}-section`} source={source} className="column-end" />
    </Section>
  );
}

/** Opened by {@link SubscribeButton}; one in every page (spec 2, Newsletter dialog). */
export function NewsletterDialog() {
  const { newsletterTitle, newsletterSubtitle, newsletterNote } = useSite();
  return (
    <Dialog id={newsletterDialogId} title={newsletterTitle} description={newsletterSubtitle}>
      <NewsletterForm id="dialog" source="dialog" />
      <p className="mt-5 text-sm text-ink-soft">{newsletterNote}</p>
    </Dialog>
  );
}

/** Opens the newsletter dialog; where scripts are off or late, leads to the form's own page. */
export function SubscribeButton(props: Omit<ComponentProps<typeof Button>, "type">) {
  return (
    <form action="/newsletter" className="contents">
      <Button
        type="submit"
        data-dialog-open={newsletterDialogId}
        aria-haspopup="dialog"
        {...props}
      />
    </form>
  );
}
