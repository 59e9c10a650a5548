import { useEffect, useRef } from "react";
import { Form } from "react-router";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Select } from "~/ui/select.tsx";
import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import type { ImportDetail, ImportLine } from "../imports.server.ts";
import { importPath, importStoredHours, longestWhereFrom, maxFileMegabytes } from "../messages.ts";
import type { UploadErrors } from "../upload.server.ts";

type FormProps = { where: string; errors: UploadErrors; busy: boolean };

/** A file and where its people signed up. Nothing is imported by it yet. */
export function UploadForm({ where, errors, busy }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (errors) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [errors]);
  return (
    <Form
      ref={form}
      method="post"
      action={importPath}
      encType="multipart/form-data"
      noValidate
      className="admin-form"
    >
      <Field
        label="File"
        hint={`CSV, as Kit, Mailchimp, Ghost, Substack or Kajabi export it, of at most ${maxFileMegabytes} MB.`}
        error={errors.file}
      >
        <Input
          type="file"
          name="file"
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
          required
          dense
        />
      </Field>
      <Field
        label="Where did they sign up?"
        hint="It is stored with each of them, should somebody ask. For example: the form on my old site."
        error={errors.where}
      >
        <Input
          name="where"
          defaultValue={where}
          maxLength={longestWhereFrom * 2}
          autoComplete="off"
          required
          dense
        />
      </Field>
      <div className="admin-form-buttons">
        <Button type="submit" busy={busy} busyLabel="Sending...">
          Look at the file
        </Button>
      </div>
    </Form>
  );
}

/** What is good to know before a file is chosen. */
export function ImportIntroduction() {
  return (
    <ul className="admin-list mb-8 max-w-[46rem] text-ink-soft">
      <li>You see first what will happen. Nothing changes before you say so.</li>
      <li>
        Rows with a date of signing up are added at once. All others are asked by email to confirm,
        200 an hour, so that your emails are not taken for spam.
      </li>
      <li>
        People who unsubscribed, here or there, stay gone. The same file twice changes nothing.
      </li>
    </ul>
  );
}

const stateWords: Record<ImportLine["state"], string> = {
  columns: "Columns to choose",
  reading: "Being read",
  unreadable: "Could not be read",
  ready: "To look at",
  importing: "Importing",
  done: "Done",
};

/** The last files. */
export function ImportList({ lines }: { lines: ImportLine[] }) {
  if (lines.length === 0) return null;
  return (
    <section className="admin-part" aria-labelledby="files">
      <h2 id="files">Files</h2>
      <Table caption="Files">
        <TableHead>
          <Th>File</Th>
          <Th>State</Th>
          <Th align="end">Added</Th>
          <Th align="end">Asked</Th>
          <Th>When</Th>
        </TableHead>
        <TableBody>
          {lines.map(({ id, fileName, state, added, asked, when }) => (
            <Row key={id}>
              <Td rowHeader>
                <span className="wrap-anywhere whitespace-normal">
                  <a href={`${importPath}/${id}`}>{fileName || "A file"}</a>
                </span>
              </Td>
              <Td phone="beside">{stateWords[state]}</Td>
              <Td align="end" phone="hidden">
                {added.toLocaleString("en-US")}
              </Td>
              <Td align="end" phone="hidden">
                {asked.toLocaleString("en-US")}
              </Td>
              <Td>
                <span className="people-date">{when}</span>
              </Td>
            </Row>
          ))}
        </TableBody>
      </Table>
      <p className="mt-4 text-sm text-ink-soft">
        What is in a file is deleted here {importStoredHours} hours after you chose it.
      </p>
    </section>
  );
}

type ColumnsProps = {
  headings: ImportDetail["headings"];
  typed: { email: string; firstName: string };
  error: string | null;
  busy: boolean;
};

/** Asks which column is which, of a file whose headings are not known. */
export function ColumnsForm({ headings, typed, error, busy }: ColumnsProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [error]);
  const options = headings.map((heading, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one heading
    <option key={place} value={place}>
      {heading || `Column ${place + 1}`}
    </option>
  ));
  return (
    <>
      <Notice className="mb-8" title="Which column is which?">
        <p>The headings of this file are not known here. Please choose two of them.</p>
      </Notice>
      <Form ref={form} method="post" noValidate className="admin-form">
        <Field label="Email addresses" error={error ?? undefined}>
          <Select name="email" defaultValue={typed.email} dense>
            <option value="">Choose a column</option>
            {options}
          </Select>
        </Field>
        <Field label="First names" optional>
          <Select name="firstName" defaultValue={typed.firstName} dense>
            <option value="">None</option>
            {options}
          </Select>
        </Field>
        <div className="admin-form-buttons">
          <Button type="submit" name="intent" value="columns" busy={busy} busyLabel="Reading...">
            Look at the file
          </Button>
          <ButtonLink href={importPath} variant="ghost">
            Cancel
          </ButtonLink>
        </div>
      </Form>
    </>
  );
}
