import { useEffect, useRef, useState } from "react";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { useHydrated } from "~/ui/hydrated.ts";
import { Notice } from "~/ui/notice.tsx";
import { useSite } from "~content/use-site.ts";
import { securityPath } from "../messages.ts";

type BackupCodeProps = {
  codes: string[];
  site: string;
  email: string;
};

/** Backup codes, shown only once, to be copied, downloaded or printed. */
export function BackupCodes({ codes, site, email }: BackupCodeProps) {
  const [copied, setCopied] = useState<boolean | null>(null);
  const hydrated = useHydrated();
  const heading = `Backup codes for ${email} at ${site}`;
  const text = `${heading}\nEach works once, in place of a code of your app.\n\n${codes.join("\n")}\n`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // The browser refused, or it has no clipboard API for pages (a TypeError).
      setCopied(false);
    }
  };
  return (
    <div className="grid gap-6">
      <p className="print-only">{heading}</p>
      <ul className="recovery-codes" aria-label="Backup codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <ButtonLink
          variant="outline"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="recovery-codes.txt"
        >
          Download as a file
        </ButtonLink>
        {hydrated && (
          <>
            <Button variant="outline" onClick={copy}>
              {copied ? "Copied" : "Copy"}
            </Button>
            <Button variant="outline" onClick={() => print()}>
              Print
            </Button>
          </>
        )}
      </div>
      <p className={copied === false ? "field-error" : "sr-only"} role="status">
        {copied && "The codes are copied."}
        {copied === false &&
          "Your browser did not let me copy them. Please download or print them."}
      </p>
      <Notice tone="warning" title="You will not see them again here">
        Keep them where you keep what matters, and not only on the phone with the app. Each one
        works once, on the day the phone is lost or broken.
      </Notice>
    </div>
  );
}

type Props = {
  codes: string[];
  email: string;
  isAppNew?: boolean;
  next?: string;
};

/** The answer to the form that created the codes; no other page shows them. */
export function NewBackupCodes({ codes, email, isAppNew = false, next = securityPath }: Props) {
  const site = useSite();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section aria-labelledby="new-codes" className="account-part">
      <h2 id="new-codes" ref={heading} tabIndex={-1} className="text-2xl outline-none">
        {isAppNew ? "Your app is on. Now keep these codes" : "Your new backup codes"}
      </h2>
      <p className="mt-2 text-ink-soft">
        {isAppNew
          ? "On the day your phone is lost, one of them lets you in. On other devices you have been signed out."
          : "The ones before do not work any more."}
      </p>
      <div className="mt-6">
        <BackupCodes codes={codes} site={site.name} email={email} />
      </div>
      <p className="mt-8">
        <ButtonLink href={next} size="lg">
          I have kept them
        </ButtonLink>
      </p>
    </section>
  );
}
