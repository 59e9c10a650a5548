import { useEffect, useRef } from "react";
import { ButtonLink } from "~/ui/button.tsx";
import { site } from "~content/site.ts";
import { securityPath } from "../texts.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";

type Props = {
  codes: string[];
  email: string;
  /** They came with the first app. */
  isAppNew?: boolean;
  /** Where it goes on. */
  next?: string;
};

/** The answer to the form that made them: it is the only page that has them. */
export function NewCodes({ codes, email, isAppNew = false, next = securityPath }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section aria-labelledby="new-codes" className="account-part">
      <h2 id="new-codes" ref={heading} tabIndex={-1} className="text-2xl outline-none">
        {isAppNew ? "Your app is on. Now keep these codes" : "Your new recovery codes"}
      </h2>
      <p className="mt-2 text-ink-soft">
        {isAppNew
          ? "On the day your phone is lost, one of them lets you in. On other devices you have been signed out."
          : "The ones before do not work any more."}
      </p>
      <div className="mt-6">
        <RecoveryCodes codes={codes} site={site.name} email={email} />
      </div>
      <p className="mt-8">
        <ButtonLink href={next} size="lg">
          I have kept them
        </ButtonLink>
      </p>
    </section>
  );
}
