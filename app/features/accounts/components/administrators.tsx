import { Form } from "react-router";
import { AuthPage } from "~/features/auth/components/auth-page.tsx";
import { NameField, PasswordField } from "~/features/auth/components/credential-fields.tsx";
import { ReauthenticationFields } from "~/features/auth/components/reauthentication.tsx";
import { authPath } from "~/features/auth/rules.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { ConfirmDialog } from "~/ui/confirm-dialog.tsx";
import { DialogButton } from "~/ui/dialog.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import { RowButton } from "~/ui/list-tools.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import { administratorMessages, administratorsPath } from "../messages.ts";

type FieldError = { field: string; message: string } | null;
type Proof = Parameters<typeof ReauthenticationFields>[0]["proof"];

type Administrator = { id: string; name: string; email: string; since: string; state: string };

/** Who looks after the site. One cannot remove oneself. */
export function AdministratorList({ lines, self }: { lines: Administrator[]; self: string }) {
  return (
    <Table caption="Administrators">
      <TableHead>
        <Th>Name</Th>
        <Th>State</Th>
        <Th>Account since</Th>
        <Th unseen>Change</Th>
      </TableHead>
      <TableBody>
        {lines.map(({ id, name, email, since, state }) => (
          <Row key={id}>
            <Td rowHeader>
              <span className="grid gap-0.5 wrap-anywhere">
                <a href={`/admin/students/${id}`}>{name}</a>
                <span className="text-xs/[1.45] text-ink-soft">{email}</span>
              </span>
            </Td>
            <Td>{id === self ? "You" : state}</Td>
            <Td phone="hidden">{since}</Td>
            <Td align="end" phone="below">
              {id !== self && (
                <ButtonLink
                  size="sm"
                  variant="ghost"
                  href={`${administratorsPath}?remove=${id}`}
                  aria-label={`Remove ${name}`}
                >
                  Remove
                </ButtonLink>
              )}
            </Td>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}

type Waiting = { id: string; email: string; until: string };

export function AdminInvitationList({ lines }: { lines: Waiting[] }) {
  if (lines.length === 0) return null;
  return (
    <section className="admin-part" aria-labelledby="waiting">
      <h2 id="waiting">Invited</h2>
      <Table caption="Invited administrators">
        <TableHead>
          <Th>Address</Th>
          <Th>Link</Th>
          <Th unseen>Change</Th>
        </TableHead>
        <TableBody>
          {lines.map(({ id, email, until }) => (
            <Row key={id}>
              <Td rowHeader>
                <span className="break-all">{email}</span>
              </Td>
              <Td>Works until {until}</Td>
              <Td align="end" phone="below">
                <DialogButton
                  dialog={`withdraw-${id}`}
                  size="sm"
                  variant="ghost"
                  aria-label={`Withdraw the invitation of ${email}`}
                >
                  Withdraw
                </DialogButton>
                <ConfirmDialog
                  id={`withdraw-${id}`}
                  title="Withdraw this invitation?"
                  form={
                    <RowButton id={id} variant="destructive" value="withdraw">
                      Withdraw
                    </RowButton>
                  }
                >
                  <p>
                    The link that went to <span className="break-all">{email}</span> stops working,
                    and no email says so. You can invite again at any time.
                  </p>
                </ConfirmDialog>
              </Td>
            </Row>
          ))}
        </TableBody>
      </Table>
    </section>
  );
}

type ProvenProps = { proof: Proof; fieldError: FieldError; busy: boolean };

const ofProof = (fieldError: FieldError) => (fieldError?.field === "email" ? null : fieldError);

export function InviteAdministrator(props: ProvenProps & { email: string | undefined }) {
  const { proof, fieldError, busy, email } = props;
  return (
    <section className="admin-part" aria-labelledby="invite">
      <h2 id="invite">Invite an administrator</h2>
      <p className="mb-5 max-w-[46rem] text-ink-soft">
        An administrator can do everything that you can do here: courses, students, payments and
        refunds. Journals stay closed to everybody. The link in the email works once, for three
        days.
      </p>
      <Form method="post" noValidate className="admin-form">
        <Field
          label="Their email address"
          error={fieldError?.field === "email" && fieldError.message}
        >
          <Input dense type="email" name="email" autoComplete="off" defaultValue={email} required />
        </Field>
        <ReauthenticationFields proof={proof} fieldError={ofProof(fieldError)} />
        {proof !== "sign-in" && (
          <div>
            <Button type="submit" name="intent" value="invite" busy={busy} busyLabel="Sending...">
              Send the invitation
            </Button>
          </div>
        )}
      </Form>
    </section>
  );
}

type Removing = {
  id: string;
  name: string;
  /** Of the account of ADMIN_EMAIL. */
  comesBack: boolean;
  toFiles: boolean;
};

export function RemoveAdministrator(props: ProvenProps & Removing) {
  const { proof, fieldError, busy, id, name, comesBack, toFiles } = props;
  return (
    <>
      <ul className="admin-list mb-6 max-w-[46rem]">
        <li>{name} can no longer open this area, from this moment on, and is signed out.</li>
        <li>The account stays, as that of a student, with its courses and journal.</li>
        <li>{administratorMessages.invitationsEnd}</li>
        {toFiles ? (
          <li>Emails that say so are written to files: no mail server is set up.</li>
        ) : (
          <li>{name} and all administrators get an email.</li>
        )}
        {comesBack && (
          <li>
            This does not last: the server names this account in its setting ADMIN_EMAIL, and makes
            it an administrator again at each start. Have that setting changed first.
          </li>
        )}
      </ul>
      <Form method="post" noValidate className="admin-form">
        <input type="hidden" name="id" value={id} />
        <ReauthenticationFields proof={proof} fieldError={fieldError} />
        <div className="admin-form-buttons">
          <ButtonLink variant="outline" href={administratorsPath}>
            Cancel
          </ButtonLink>
          {proof !== "sign-in" && (
            <Button type="submit" name="intent" value="remove" variant="destructive" busy={busy}>
              Remove {name}
            </Button>
          )}
        </div>
      </Form>
    </>
  );
}

type AcceptProps = {
  email: string;
  /** To this page, after signing in. */
  here: string;
  who: "viewer" | "account" | "new" | "other";
  viewer: string | null;
  fieldError: FieldError;
  name: string | undefined;
  busy: boolean;
};

export function AcceptAdminInvitation(props: AcceptProps) {
  const { email, here, who, viewer, fieldError, name, busy } = props;
  const accept = (
    <Button type="submit" size="lg" busy={busy} busyLabel="Accepting...">
      Become an administrator
    </Button>
  );
  return (
    <AuthPage
      title="You are invited"
      subtitle="To look after this site: its courses, students and payments."
    >
      {who === "viewer" && (
        <Form method="post" className="grid gap-5">
          <p className="wrap-anywhere">You are signed in as {email}.</p>
          <p>{accept}</p>
        </Form>
      )}
      {who === "account" && (
        <>
          <p className="wrap-anywhere">
            You have an account with the address {email}. Sign in with it, and this page comes back.
          </p>
          <p>
            <ButtonLink href={authPath(here)} size="lg">
              Go to sign in
            </ButtonLink>
          </p>
        </>
      )}
      {who === "new" && (
        <Form method="post" noValidate className="grid gap-5">
          {fieldError?.field === "" && (
            <Notice tone="destructive" live>
              {fieldError.message}
            </Notice>
          )}
          <Field label="Email" hint="Your account will have this address.">
            <Input type="email" value={email} readOnly autoComplete="username" />
          </Field>
          <NameField fieldError={fieldError} value={name} />
          <PasswordField fieldError={fieldError} fresh />
          {accept}
        </Form>
      )}
      {who === "other" && (
        <Form method="post" className="grid gap-5">
          <input type="hidden" name="intent" value="sign-out" />
          <p className="wrap-anywhere">
            This invitation is for {email}, and you are signed in as {viewer}. Sign out first, and
            this page comes back.
          </p>
          <p>
            <Button type="submit" size="lg" busy={busy} busyLabel="Signing out...">
              Sign out and go on
            </Button>
          </p>
        </Form>
      )}
    </AuthPage>
  );
}
