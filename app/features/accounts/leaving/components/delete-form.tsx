import { Form, useNavigation } from "react-router";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";
import type { Complaint } from "../../components/credential-fields.tsx";
import { OwnerProof } from "../../factors/components/owner-proof.tsx";
import type { Proof } from "../../owner/queries.server.ts";
import { dataPath } from "../../settings/texts.ts";

type Props = { complaint: Complaint; proof: Proof };

/** The last step before an account stands still for its last week. */
export function DeleteForm({ complaint, proof }: Props) {
  const busy = useNavigation().formAction !== undefined;
  const isRole = complaint?.field === "role";
  return (
    <Form method="post" noValidate className="grid gap-5">
      {isRole && (
        <Notice tone="destructive" title="Your account was not deleted" live>
          <p>{complaint?.message}</p>
        </Notice>
      )}
      <OwnerProof proof={proof} complaint={isRole ? null : complaint} />
      <div className="flex flex-wrap gap-3">
        {proof !== "sign-in" && (
          <Button type="submit" variant="destructive" busy={busy} busyLabel="One moment...">
            Delete my account
          </Button>
        )}
        <ButtonLink href={dataPath} variant="outline">
          Keep it
        </ButtonLink>
      </div>
    </Form>
  );
}
