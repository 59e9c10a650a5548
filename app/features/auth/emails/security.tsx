import { Act, EmailLayout, SmallLink, Words } from "~/ui/email/email-layout.tsx";
import { site } from "~content/site.ts";
import { type SecurityAlertKind, securityAlertSubjects, securityPath } from "../messages.ts";

type Props = {
  greeting: string;
  change: SecurityAlertKind;
  /** In words, in the reader's time zone. */
  when: string;
  name: string | null;
  /** Backup codes left, when one was used. */
  left: number | null;
  appUrl: string;
};

const meanings: Record<SecurityAlertKind, string> = {
  "admin-invited":
    "Once the invitation is accepted, that person can do all that you can in the admin area. There, under Settings, Administrators, it shows whom it is for, and can be withdrawn.",
  "admin-added":
    "They can do all that you can in the admin area. There, under Settings, Administrators, this can be ended.",
  "admin-removed": "The admin area is closed to them, and their account is a student’s.",
  "app-added": "From now on, signing in with your password asks for a code as well.",
  "app-removed": "Its codes are not asked for at sign-in any more.",
  "passkey-added": "Whoever has the device, and can unlock it, can sign in with it.",
  "passkey-removed": "It opens your account no longer.",
  "codes-made": "The ones before do not work any more.",
  "code-used": "It took the place of a code of your app, and does not work a second time.",
  reset:
    "It was done on request, because a device was lost: apps, passkeys and backup codes are gone, and you are signed out everywhere. You can sign in with your password alone, and add them again.",
  "wrong-codes":
    "Somebody gave your password, and then codes that did not fit. Nobody was let in. If it was you, try again, or take a backup code.",
  "wrong-passwords":
    "Nobody was let in. If it was you, wait an hour, or choose a new password. A device on which you have signed in before can be used meanwhile.",
  "new-device":
    "If it was you, there is nothing to do: your account knows this device from now on.",
  "provider-refused":
    "Somebody came from there with your email address. Nobody was let in, and nothing was connected. If it was you, sign in as usual, and connect it on your account page.",
};

/** Sent to the owner when their sign-in methods change, since it may not have been them. */
export function SecurityAlert({ greeting, change, when, name, left, appUrl }: Props) {
  return (
    <EmailLayout
      preview={meanings[change]}
      remark={
        <>
          If it was not you, choose a new password right away, here:
          <br />
          <SmallLink href={`${appUrl}/auth/forgot`}>{`${appUrl}/auth/forgot`}</SmallLink>
          <br />
          Then look at your ways to sign in, and remove what you did not add:
          <br />
          <SmallLink href={`${appUrl}${securityPath}`}>{`${appUrl}${securityPath}`}</SmallLink>
          <br />
          If you cannot sign in, reply to this email, and I will help.
        </>
      }
    >
      <Words>{greeting}</Words>
      <Words>
        {securityAlertSubjects[change]}
        {name ? ` (“${name}”)` : ""} at {site.name}, on {when}.
      </Words>
      <Words>
        {meanings[change]}
        {left === null ? "" : ` ${leftInWords(left)}`}
      </Words>
    </EmailLayout>
  );
}

function leftInWords(left: number): string {
  if (left === 0) return "It was the last one: please make new ones.";
  return left === 1 ? "One is left: please make new ones." : `${left} are left.`;
}

/** The text by origin: changed on the site while signed in, or by an emailed link. */
export const passwordChanged = {
  account: {
    subject: "Your password was changed",
    sentence: `The password of your account at ${site.name} was changed just now. Every other device on which you were signed in has been signed out.`,
  },
  email: {
    subject: "A new password was chosen",
    sentence: `A new password was chosen for your account at ${site.name} just now, with the link in an email to you. You have been signed out everywhere and can sign in with the new one.`,
  },
} as const;

type PasswordChangedProps = { greeting: string; way: keyof typeof passwordChanged; link: string };

export function PasswordChanged({ greeting, way, link }: PasswordChangedProps) {
  return (
    <EmailLayout
      preview="If it was you, there is nothing to do."
      remark="If it was you, there is nothing to do."
    >
      <Words>{greeting}</Words>
      <Words>{passwordChanged[way].sentence}</Words>
      <Words>
        If it was not you, choose another password at once and reply to this email, so that I know.
      </Words>
      <Act href={link}>Choose another password</Act>
    </EmailLayout>
  );
}

type LinkedAccountProps = Record<"greeting" | "method" | "link", string> & {
  change: "linked" | "unlinked";
};

export function LinkedAccountChanged({ greeting, change, method, link }: LinkedAccountProps) {
  const isLinked = change === "linked";
  return (
    <EmailLayout
      preview={`${method} was ${change}. If it was you, there is nothing to do.`}
      remark="This email is sent whenever a way to sign in changes."
    >
      <Words>{greeting}</Words>
      <Words>
        {isLinked
          ? `${method} was just linked to your account at ${site.name}. From now on you can also sign in with it.`
          : `${method} was just unlinked from your account at ${site.name}. It opens your account no longer.`}
      </Words>
      <Words>
        {isLinked
          ? "If that was not you, please unlink it, and choose a new password."
          : "If that was not you, please look at your ways to sign in, and choose a new password."}
      </Words>
      <Act href={link}>See how I sign in</Act>
    </EmailLayout>
  );
}
