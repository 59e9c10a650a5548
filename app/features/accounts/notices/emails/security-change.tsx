import { Letter, SmallLink, Words } from "~/ui/mail/letter.tsx";
import { site } from "~content/site.ts";
import { type Change, changes, securityPath } from "../../factors/texts.ts";

type Props = {
  greeting: string;
  change: Change;
  /** In words, in the reader's time zone. */
  when: string;
  /** What its owner called it. */
  name: string | null;
  /** Recovery codes that are left, where one was used. */
  left: number | null;
  appUrl: string;
};

/** What each change means for her, in a sentence or two. */
const meanings: Record<Change, string> = {
  "app-added": "From now on, signing in with your password asks for a code as well.",
  "app-removed": "Its codes are not asked for at sign-in any more.",
  "passkey-added": "Whoever has the device, and can unlock it, can sign in with it.",
  "passkey-removed": "It opens your account no longer.",
  "codes-made": "The ones before do not work any more.",
  "code-used": "It took the place of a code of your app, and does not work a second time.",
  reset:
    "It was done on request, because a device was lost: apps, passkeys and recovery codes are gone, and you are signed out everywhere. You can sign in with your password alone, and add them anew.",
  "wrong-codes":
    "Somebody gave your password, and then codes that did not fit. Nobody was let in. If it was you, try again, or take a recovery code.",
  "wrong-passwords":
    "Nobody was let in. If it was you, wait an hour, or choose a new password. A device on which you have signed in before can be used meanwhile.",
  "new-device":
    "If it was you, there is nothing to do: your account knows this device from now on.",
  "provider-refused":
    "Somebody came from there with your email address. Nobody was let in, and nothing was connected. If it was you, sign in as usual, and connect it on your account page.",
};

/** Sent to the owner when something changes in how she signs in: it may not have been she. */
export function SecurityChange({ greeting, change, when, name, left, appUrl }: Props) {
  return (
    <Letter
      preview={meanings[change]}
      signature={site.coach.firstName}
      remark={
        <>
          If it was not you, choose a new password right away:{" "}
          <SmallLink href={`${appUrl}/auth/forgot`}>{`${appUrl}/auth/forgot`}</SmallLink>. What
          there is now stands in your account:{" "}
          <SmallLink href={`${appUrl}${securityPath}`}>{`${appUrl}${securityPath}`}</SmallLink>. If
          you cannot get in, answer this letter.
        </>
      }
    >
      <Words>{greeting}</Words>
      <Words>
        {changes[change]}
        {name ? ` (“${name}”)` : ""} at {site.name}, on {when}.
      </Words>
      <Words>
        {meanings[change]}
        {left === null ? "" : ` ${leftInWords(left)}`}
      </Words>
    </Letter>
  );
}

function leftInWords(left: number): string {
  if (left === 0) return "It was the last one: please make new ones.";
  return left === 1 ? "One is left: please make new ones." : `${left} are left.`;
}
