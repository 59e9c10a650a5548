import type { ReactNode } from "react";
import { ButtonLink } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";
import {
  addAppPath,
  backupCodesPath,
  fewBackupCodes,
  maxSecurityMethods,
  removePath,
  renamePath,
} from "../messages.ts";
import type { getSecuritySettings } from "../security-settings.server.ts";
import { AccountPart } from "./account-frame.tsx";
import { PasskeyAdd } from "./passkey-add.tsx";

type Way = { id: string; name: string; added: string; used: string };

export function SecurityMethodList({ ways, kind }: { ways: Way[]; kind: "app" | "passkey" }) {
  return (
    <ul className="ways-in">
      {ways.map(({ id, name, added, used }) => (
        <li key={id}>
          <div className="min-w-0">
            <p className="font-[550] break-words">{name}</p>
            <p className="text-sm text-ink-soft">
              <span className="whitespace-nowrap">{added}.</span>{" "}
              <span className="whitespace-nowrap">{used}.</span>
            </p>
          </div>
          <div className="flex gap-5">
            <Way href={`${renamePath}?${kind}=${id}`} of={name}>
              Rename
            </Way>
            <Way href={`${removePath}?${kind}=${id}`} of={name}>
              Remove
            </Way>
          </div>
        </li>
      ))}
    </ul>
  );
}

function Way({ href, of, children }: { href: string; of: string; children: ReactNode }) {
  return (
    <a href={href} className="way-act">
      {children}
      <span className="sr-only"> “{of}”</span>
    </a>
  );
}

type Props = Awaited<ReturnType<typeof getSecuritySettings>> & { lacksFactor: boolean };

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
        {apps.length > 0 && <SecurityMethodList ways={apps} kind="app" />}
        {apps.length < maxSecurityMethods.apps && (
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
        {passkeys.length > 0 && <SecurityMethodList ways={passkeys} kind="passkey" />}
        {passkeys.length < maxSecurityMethods.passkeys && (
          <PasskeyAdd key={passkeys.length} proof={proof} />
        )}
      </AccountPart>
      <AccountPart
        id="codes"
        title="Backup codes"
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
      {left < fewBackupCodes ? (
        <Notice tone="warning" title={left === 0 ? "None is left" : `Only ${left} left`}>
          Please make new ones, so that you can get in without your phone.
        </Notice>
      ) : (
        <p>{left} are left.</p>
      )}
      <p>
        <ButtonLink href={backupCodesPath} variant="outline">
          Make new codes
        </ButtonLink>
      </p>
    </>
  );
}
