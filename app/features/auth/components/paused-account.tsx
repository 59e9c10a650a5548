import { Notice } from "~/ui/notice.tsx";

/** Shown at sign-in after correct credentials, because the account is suspended. */
export function PausedAccount({ email }: { email: string }) {
  return (
    <Notice tone="warning" title="This account is paused" focused>
      <p className="break-words">
        It cannot be used to sign in just now. Nothing in it is lost. If you would like to ask why,
        write to <a href={`mailto:${email}`}>{email}</a>.
      </p>
    </Notice>
  );
}
