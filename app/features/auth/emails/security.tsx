import { Act, EmailLayout, SmallLink, Words } from "~/ui/email/email-layout.tsx";
import { unbroken } from "~content/site.ts";
import { useSite } from "~content/use-site.ts";
import { type SecurityAlertKind, securityAlertSubjects, securityPath } from "../messages.ts";

type Props = {
  greeting: string;
  change: SecurityAlertKind;
  /** 'on Sunday, November 22, at 8:30 AM Eastern Time', in the reader's time zone. */
  when: string;
  name: string | null;
  /** Backup codes left, when one was used. */
  left: number | null;
  appUrl: string;
};

const meanings: Record<SecurityAlertKind, string> = {
  "admin-invited":
    "Once the invitation is accepted, that person can do everything that you can in the admin area. To see whom it is for, or to withdraw it, open Settings in the admin area, then Administrators.",
  "admin-added":
    "They can do everything that you can in the admin area. To end this, open Settings in the admin area, then Administrators.",
  "admin-removed": "They can no longer open the admin area. Their account is a student’s now.",
  "app-added": "From now on, signing in with your password asks for a code as well.",
  "app-removed": "Signing in no longer asks for its codes.",
  "passkey-added": "Anybody who has that device and can unlock it can now sign in with it.",
  "passkey-removed": "You can no longer sign in with it.",
  "codes-made": "The old ones no longer work.",
  "code-used": "It was used instead of a code from your app, and cannot be used again.",
  reset:
    "This was done on request, because a device was lost. Your authenticator apps, passkeys and backup codes were removed, and you were signed out everywhere. You can now sign in with your password alone, and add them again.",
  "wrong-codes":
    "Somebody entered your right password, and then wrong codes. They did not get in. If it was you, try again, or use a backup code.",
  "wrong-passwords":
    "Nobody got in. If it was you, wait an hour, or choose a new password. Until then you can still sign in on a device that you have used here before.",
  "new-device":
    "If it was you, there is nothing to do: your account knows this device from now on.",
  "provider-refused":
    "Somebody tried to sign in through it with your email address. They did not get in, and nothing was connected. If it was you, sign in as usual, and connect it on your account page.",
};

/** Sent to the owner when their sign-in methods change, since it may not have been them. */
export function SecurityAlert({ greeting, change, when, name, left, appUrl }: Props) {
  const site = useSite();
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
        {name ? ` (“${name}”)` : ""}. It happened at {unbroken(site, site.name)} {when}.
      </Words>
      <Words>
        {meanings[change]}
        {left === null ? "" : ` ${leftInWords(left)}`}
      </Words>
    </EmailLayout>
  );
}

function leftInWords(left: number): string {
  if (left === 0) return "It was your last one: please make new ones.";
  return left === 1
    ? "You have one backup code left: please make new ones."
    : `You have ${left} backup codes left.`;
}

/** The text by origin: changed on the site while signed in, or by an emailed link. */
export const passwordChanged = {
  account: {
    subject: "Your password was changed",
    happened: (brand: string) => `The password of your account at ${brand} was changed`,
    since: "Every other device on which you were signed in has been signed out.",
  },
  email: {
    subject: "A new password was chosen",
    happened: (brand: string) => `A new password was chosen for your account at ${brand}`,
    since:
      "The link in an email to you was used for it. You have been signed out everywhere, and can sign in with the new password.",
  },
} as const;

type PasswordChangedProps = Record<"greeting" | "when" | "link", string> & {
  way: keyof typeof passwordChanged;
};

export function PasswordChanged({ greeting, way, when, link }: PasswordChangedProps) {
  const site = useSite();
  return (
    <EmailLayout
      preview="If it was you, there is nothing to do."
      remark="If it was you, there is nothing to do."
    >
      <Words>{greeting}</Words>
      <Words>
        {passwordChanged[way].happened(site.name)} {when}. {passwordChanged[way].since}
      </Words>
      <Words>
        If it was not you, press the button and choose another password now. Then reply to this
        email, so that I know.
      </Words>
      <Act href={link}>Choose another password</Act>
    </EmailLayout>
  );
}

type LinkedAccountProps = Record<"greeting" | "method" | "when" | "link", string> & {
  change: "linked" | "unlinked";
};

export function LinkedAccountChanged(props: LinkedAccountProps) {
  const site = useSite();
  const { greeting, change, method, when, link } = props;
  const isLinked = change === "linked";
  return (
    <EmailLayout
      preview={`${method} was ${change}. If it was you, there is nothing to do.`}
      remark="This email is sent whenever a way to sign in changes."
    >
      <Words>{greeting}</Words>
      <Words>
        {isLinked
          ? `${method} was linked to your account at ${site.name} ${when}. You can now sign in with it too.`
          : `${method} was unlinked from your account at ${site.name} ${when}. You can no longer sign in with it.`}
      </Words>
      <Words>
        {isLinked
          ? "If it was not you, press the button and unlink it there. Then choose a new password."
          : "If it was not you, press the button and look at your ways to sign in. Then choose a new password."}
      </Words>
      <Act href={link}>See how I sign in</Act>
    </EmailLayout>
  );
}
