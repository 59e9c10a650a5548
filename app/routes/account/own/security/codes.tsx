import { data, Form, redirect, useNavigation } from "react-router";
import { AccountFrame, AccountPart } from "~/features/accounts/components/account-frame.tsx";
import { NewCodes } from "~/features/accounts/factors/components/new-codes.tsx";
import { OwnerProof } from "~/features/accounts/factors/components/owner-proof.tsx";
import { countApps } from "~/features/accounts/factors/queries.server.ts";
import { shownCode } from "~/features/accounts/factors/rules.ts";
import { securityPath } from "~/features/accounts/factors/texts.ts";
import { proveOwner } from "~/features/accounts/owner/commands.server.ts";
import { ownSession, proofOf } from "~/features/accounts/owner/queries.server.ts";
import { remakeCodes } from "~/features/accounts/recovery/commands.server.ts";
import { PageHead } from "~/page-head.tsx";
import { servicesOf } from "~/platform/http/context.ts";
import { formFields } from "~/platform/http/form.ts";
import { Button } from "~/ui/button.tsx";
import type { Route } from "./+types/codes.ts";

export const handle = { hydrate: true };

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = servicesOf(context);
  const own = ownSession(context, url);
  if ((await countApps(services.db.write, own.userId)) === 0) throw redirect(securityPath);
  return { proof: await proofOf(services, own), email: own.email };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const services = servicesOf(context);
  const own = ownSession(context, url);
  const complaint = await proveOwner(services, { ...own, fields: await formFields(request) });
  if (complaint) return data({ complaint, codes: null }, 400);
  const codes = await remakeCodes(services, own.userId);
  return { complaint: null, codes: codes?.map(shownCode) ?? null };
}

/** Also after a refusal: what the page says has changed since it was opened. */
export const shouldRevalidate = () => true;

export default function Codes({ loaderData, actionData }: Route.ComponentProps) {
  const { proof, email } = loaderData;
  const busy = useNavigation().formAction !== undefined;
  return (
    <AccountFrame>
      <PageHead title="Recovery codes" noindex />
      {actionData?.codes ? (
        <NewCodes codes={actionData.codes} email={email} />
      ) : (
        <AccountPart
          id="make-codes"
          title="Make new recovery codes"
          lead="You get ten new ones. The ones that you have now will not work any more."
        >
          <Form method="post" noValidate className="grid max-w-[22rem] gap-5">
            <OwnerProof proof={proof} complaint={actionData?.complaint} />
            {proof !== "sign-in" && (
              <div className="flex flex-wrap items-center gap-5">
                <Button type="submit" busy={busy} busyLabel="One moment...">
                  Make new codes
                </Button>
                <a href={securityPath}>Cancel</a>
              </div>
            )}
          </Form>
        </AccountPart>
      )}
    </AccountFrame>
  );
}
