import { Form } from "react-router";
import { Button } from "~/ui/button.tsx";
import { AccountPart } from "../../components/account-frame.tsx";
import { OwnerProof } from "../../factors/components/owner-proof.tsx";
import { methodsPath, showOwnerPath } from "../texts.ts";

type Props = {
  proof: Parameters<typeof OwnerProof>[0]["proof"];
  complaint: Parameters<typeof OwnerProof>[0]["complaint"];
  busy: boolean;
};

/** Asked before a way in is linked or unlinked in a session in which signing in is a while ago. */
export function ShowOwner({ proof, complaint, busy }: Props) {
  return (
    <AccountPart
      id="owner"
      title="Please show that it is you"
      lead="It has been a while since you signed in. Ways to sign in are changed by you alone."
    >
      <Form method="post" action={showOwnerPath} noValidate className="grid max-w-[22rem] gap-5">
        <input type="hidden" name="intent" value="show-owner" />
        <OwnerProof proof={proof} complaint={complaint} />
        {proof !== "sign-in" && (
          <p className="flex flex-wrap items-center gap-x-6 gap-y-3">
            <Button type="submit" busy={busy} busyLabel="One moment...">
              Go on
            </Button>
            <a href={methodsPath}>Not now</a>
          </p>
        )}
      </Form>
    </AccountPart>
  );
}
