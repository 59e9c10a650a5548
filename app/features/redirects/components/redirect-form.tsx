import { useEffect, useRef } from "react";
import { Form } from "react-router";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import { Select } from "~/ui/select.tsx";
import { redirectsPath, targetPages } from "../messages.ts";
import type { RedirectFormError, TypedRedirect } from "../redirect-form.server.ts";
import { longestPath, longestTarget, unchosen } from "../rules.ts";

type Props = {
  typed: TypedRedirect;
  fieldError: RedirectFormError["fieldError"] | null;
  courses: { slug: string; title: string; active: boolean }[];
  busy: boolean;
};

/** An old address, and the page, course or other address that it leads to. */
export function RedirectForm({ typed, fieldError, courses, busy }: Props) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (fieldError) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [fieldError]);
  const errorOf = (field: keyof TypedRedirect) =>
    fieldError?.field === field ? fieldError.message : undefined;
  return (
    <Form ref={form} method="post" noValidate className="admin-form redirect-form">
      <Field
        label="Old address"
        hint="The part behind the name of the site, such as /old-page."
        error={errorOf("from")}
      >
        <Input
          name="from"
          defaultValue={typed.from}
          required
          maxLength={longestPath * 3}
          placeholder="/old-page"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          dense
        />
      </Field>
      <Field label="Leads to" error={errorOf("page")}>
        <Select name="page" defaultValue={typed.page} dense>
          <option value={unchosen}>Choose a page</option>
          <optgroup label="Pages">
            {targetPages.map(([path, name]) => (
              <option key={path} value={path}>
                {name}
              </option>
            ))}
          </optgroup>
          {courses.length > 0 && (
            <optgroup label="Courses">
              {courses.map(({ slug, title, active }) => (
                <option key={slug} value={`/courses/${slug}`}>
                  {active ? title : `${title} (inactive)`}
                </option>
              ))}
            </optgroup>
          )}
          <option value="">Another address, typed below</option>
        </Select>
      </Field>
      <div className="redirect-other">
        <Field
          label="Another address"
          hint="A path of this site, or a whole address elsewhere that begins with https://."
          error={errorOf("other")}
        >
          <Input
            name="other"
            defaultValue={typed.other}
            inputMode="url"
            maxLength={longestTarget * 3}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            dense
          />
        </Field>
      </div>
      <div className="admin-form-buttons">
        <Button type="submit" name="intent" value="save" busy={busy} busyLabel="Saving...">
          Save
        </Button>
        <ButtonLink href={redirectsPath} variant="ghost">
          Cancel
        </ButtonLink>
      </div>
    </Form>
  );
}
