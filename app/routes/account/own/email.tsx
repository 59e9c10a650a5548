import { cancelWish, wishForAddress } from "~/features/accounts/address/commands.server.ts";
import { AddressForm } from "~/features/accounts/address/components/address-form.tsx";
import { WaitingAddress } from "~/features/accounts/address/components/waiting-address.tsx";
import { findWish } from "~/features/accounts/address/queries.server.ts";
import { addressPath, addressWords } from "~/features/accounts/address/texts.ts";
import { AccountFrame, AccountPart } from "~/features/accounts/components/account-frame.tsx";
import { ownSession, proofOf } from "~/features/accounts/owner/queries.server.ts";
import { complain } from "~/features/accounts/settings/commands.server.ts";
import { accountPath } from "~/features/accounts/settings/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import type { Route } from "./+types/email.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { viewer, sessionId } = ownSession(context, url);
  const services = servicesOf(context);
  const timeZone = context.get(timeZoneContext);
  const [wish, proof] = await Promise.all([
    findWish(services, { userId: viewer.id, timeZone }),
    proofOf(services, { userId: viewer.id, sessionId }),
  ]);
  return { email: viewer.email, wish, proof };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { viewer, sessionId } = ownSession(context, url);
  const services = servicesOf(context);
  const fields = await formFields(request);
  const { intent, email } = fields;
  if (intent === "cancel") {
    await cancelWish(services, viewer.id);
    return redirectWithToast(accountPath, addressWords.cancelled);
  }
  const own = { userId: viewer.id, sessionId, email: viewer.email };
  const complaint = await wishForAddress(services, { ...own, fields });
  if (complaint) return complain({ request, context }, complaint, { email });
  return redirectWithToast(addressPath, addressWords.asked);
}

/** Also after a refusal: what the page says has changed since it was opened. */
export const shouldRevalidate = () => true;

export default function Email({ loaderData, actionData }: Route.ComponentProps) {
  const { email, wish, proof } = loaderData;
  const complaint = actionData?.complaint ?? null;
  return (
    <AccountFrame>
      <PageHead title="Your email address" noindex />
      <AccountPart
        id="email"
        title="Your email address"
        lead={
          <>
            You sign in with <strong className="font-medium text-ink">{email}</strong>.
          </>
        }
      >
        {wish && !complaint ? (
          <WaitingAddress email={email} wish={wish} />
        ) : (
          <AddressForm complaint={complaint} typed={actionData?.typed.email} proof={proof} />
        )}
      </AccountPart>
    </AccountFrame>
  );
}
