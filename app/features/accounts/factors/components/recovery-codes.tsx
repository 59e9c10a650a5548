import { useState } from "react";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { useHydrated } from "~/ui/hydrated.ts";
import { Notice } from "~/ui/notice.tsx";

type Props = {
  /** As they are shown: abcde-fghjk. */
  codes: string[];
  /** Name of the site, for the file and the paper. */
  site: string;
  /** Whose they are. */
  email: string;
};

/** Recovery codes, the one time that they are shown: to be copied, kept as a file, or printed. */
export function RecoveryCodes({ codes, site, email }: Props) {
  const [copied, setCopied] = useState<boolean | null>(null);
  const hydrated = useHydrated();
  const heading = `Recovery codes for ${email} at ${site}`;
  const text = `${heading}\nEach works once, in place of a code of your app.\n\n${codes.join("\n")}\n`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // Refused; or the browser has no clipboard for pages, and this was a TypeError.
      setCopied(false);
    }
  };
  return (
    <div className="grid gap-6">
      <p className="print-only">{heading}</p>
      <ul className="recovery-codes" aria-label="Recovery codes">
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
