import { useEffect, useRef } from "react";
import { Form } from "react-router";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { LinkedConfirmDialog } from "~/ui/confirm-dialog.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import { deliveryWords, subscriberStates, subscribersPath } from "../messages.ts";
import type { SignupErrors } from "../schema.ts";
import type { SubscriberDetail } from "../subscriber-list.server.ts";

/** What is known of a subscriber, and what they got. */
export function SubscriberFacts({ subscriber }: { subscriber: SubscriberDetail }) {
  const { state, firstName, since, source, consent, account, suppression, issues } = subscriber;
  const facts: [string, React.ReactNode][] = [
    ["First name", firstName],
    ["State", `${subscriberStates[state]}, since ${since}`],
    ["From", source],
    ["Consent", consent],
    ["How often", subscriber.monthly && "Once a month"],
    ["Pause until", subscriber.quietUntil],
    ["Time zone", subscriber.zone],
    ["Why they left", subscriber.leaveReason],
    ["Account", account && <a href={`/admin/students/${account.id}`}>{account.name}</a>],
  ];
  return (
    <>
      {suppression && (
        <Notice tone="warning" className="mb-8" title="No email is sent to this address">
          <p>{suppression}</p>
        </Notice>
      )}
      <dl className="admin-facts">
        {facts.map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <section className="admin-part" aria-labelledby="issues">
        <h2 id="issues">What they got</h2>
        {issues.length === 0 ? (
          <p className="text-ink-soft">No issue has gone to this address yet.</p>
        ) : (
          <Table caption="The last issues that went to this address">
            <TableHead>
              <Th>Issue</Th>
              <Th>What became of it</Th>
              <Th>When</Th>
            </TableHead>
            <TableBody>
              {issues.map(({ id, subject, state: outcome, when }) => (
                <Row key={id}>
                  <Td rowHeader>
                    <span className="wrap-anywhere whitespace-normal">{subject}</span>
                  </Td>
                  <Td>{deliveryWords[outcome]}</Td>
                  <Td>
                    <span className="people-date">{when}</span>
                  </Td>
                </Row>
              ))}
            </TableBody>
          </Table>
        )}
      </section>
    </>
  );
}

/** Asks before a subscriber is removed. */
export function RemoveSubscriber({ subscriber, closeHref }: RemoveProps) {
  return (
    <LinkedConfirmDialog
      id="remove-subscriber"
      title="Remove this subscriber?"
      closeHref={closeHref}
      form={
        <Form method="post">
          <Button type="submit" name="intent" value="remove" variant="destructive">
            Remove
          </Button>
        </Form>
      }
    >
      <p>
        {subscriber.email} is deleted, with what went to it and, if they have unsubscribed, the note
        of that. A file that has the address could bring it back.
      </p>
    </LinkedConfirmDialog>
  );
}

type RemoveProps = { subscriber: SubscriberDetail; closeHref: string };

type AddProps = {
  typed: { firstName: string; email: string };
  errors: SignupErrors;
  busy: boolean;
};

/** First name and address of somebody who is to be asked. */
export function AddSubscriberForm({ typed, errors, busy }: AddProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (errors) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [errors]);
  return (
    <Form ref={form} method="post" noValidate className="admin-form">
      <Field label="First name" error={errors.firstName}>
        <Input name="firstName" defaultValue={typed.firstName} autoComplete="off" required dense />
      </Field>
      <Field label="Email address" error={errors.email}>
        <Input
          name="email"
          type="email"
          defaultValue={typed.email}
          autoComplete="off"
          required
          dense
        />
      </Field>
      <div className="admin-form-buttons">
        <Button type="submit" busy={busy} busyLabel="Asking...">
          Ask them to confirm
        </Button>
        <ButtonLink href={subscribersPath} variant="ghost">
          Cancel
        </ButtonLink>
      </div>
    </Form>
  );
}
