import { Form, useNavigation } from "react-router";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { type Complaint, EmailField } from "../../components/credential-fields.tsx";
import { OwnerProof } from "../../factors/components/owner-proof.tsx";
import type { Proof } from "../../owner/queries.server.ts";
import { accountPath } from "../../settings/texts.ts";

type Props = {
  complaint: Complaint;
  typed: string | undefined;
  proof: Proof;
};

/** Where somebody asks for another address. */
export function AddressForm({ complaint, typed, proof }: Props) {
  const busy = useNavigation().formAction !== undefined;
  const isEmail = complaint?.field === "email";
  return (
    <>
      <p>
        A letter goes to both addresses, each with a link. Your address changes once both are
        confirmed, so that nobody can take your account away with a device that you left open. The
        weekly letter is separate: it goes on coming to the address that you signed up with.
      </p>
      <Form method="post" noValidate className="grid gap-5">
        <EmailField label="New email address" complaint={complaint} value={typed} />
        <OwnerProof proof={proof} complaint={isEmail ? null : complaint} />
        <div className="flex flex-wrap gap-3">
          {proof !== "sign-in" && (
            <Button type="submit" busy={busy} busyLabel="Sending...">
              Send both letters
            </Button>
          )}
          <ButtonLink href={accountPath} variant="outline">
            Cancel
          </ButtonLink>
        </div>
      </Form>
    </>
  );
}
