import { AccountPart } from "~/features/accounts/components/account-frame.tsx";
import { ButtonLink } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";
import type { getSecurity } from "../../security/queries.server.ts";
import { addAppPath, codesPath, fewCodes, most } from "../texts.ts";
import { PasskeyAdd } from "./passkey-add.tsx";
import { WayList } from "./way-list.tsx";

type Props = Awaited<ReturnType<typeof getSecurity>> & { lacksFactor: boolean };

/** What somebody signs in with beside her password, in three parts. */
export function SecurityParts({ apps, passkeys, codesLeft, proof, lacksFactor }: Props) {
  return (
    <>
      {lacksFactor && (
        <Notice title="Administrators need one more step here">
          Add an authenticator app or a passkey. From then on the admin is open to you.
        </Notice>
      )}
      <AccountPart
        id="apps"
        title="Authenticator apps"
        lead="An app on your phone shows a new code every half minute. With one, signing in with your password asks for its code as well: your password alone opens nothing."
      >
        {apps.length > 0 && <WayList ways={apps} kind="app" />}
        {apps.length < most.apps && (
          <p>
            <ButtonLink href={addAppPath} variant="outline">
              {apps.length > 0 ? "Add another app" : "Add an app"}
            </ButtonLink>
          </p>
        )}
      </AccountPart>
      <AccountPart
        id="passkeys"
        title="Passkeys"
        lead="Your phone or computer lets you in with your finger, your face or its PIN. There is nothing to remember and nothing to type."
      >
        {passkeys.length > 0 && <WayList ways={passkeys} kind="passkey" />}
        {passkeys.length < most.passkeys && <PasskeyAdd key={passkeys.length} proof={proof} />}
      </AccountPart>
      <AccountPart
        id="codes"
        title="Recovery codes"
        lead="For the day your phone is lost: each works once, in place of a code of your app."
      >
        {apps.length > 0 ? <Codes left={codesLeft} /> : <p>You get them with your first app.</p>}
      </AccountPart>
    </>
  );
}

function Codes({ left }: { left: number }) {
  return (
    <>
      {left < fewCodes ? (
        <Notice tone="warning" title={left === 0 ? "None is left" : `Only ${left} left`}>
          Please make new ones, so that you can get in without your phone.
        </Notice>
      ) : (
        <p>{left} are left.</p>
      )}
      <p>
        <ButtonLink href={codesPath} variant="outline">
          Make new codes
        </ButtonLink>
      </p>
    </>
  );
}
