import type { ReactNode } from "react";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Checkbox } from "~/ui/inputs.tsx";
import { MessagePage } from "~/ui/message-page.tsx";
import { useSite } from "~content/use-site.ts";
import {
  adminEmailKinds,
  type EmailKind,
  emailKindMessages,
  emailKinds,
  invalidPreferencesLink,
  preferencesPath,
} from "../messages.ts";
import type { EmailPreferences } from "../rules.ts";

type Props = {
  choices: EmailPreferences;
  /** The newsletter, which does not depend on the account. */
  children?: ReactNode;
};

/** One checkbox per kind. The form lists the kinds shown, so that others are not changed. */
export function EmailPreferencesForm({ choices, children }: Props) {
  const kinds = emailKinds.filter((kind) => kind in choices);
  const forAdmins = kinds.filter((kind) => adminEmailKinds.includes(kind));
  return (
    <form method="post" className="grid gap-8">
      <fieldset>
        <legend>
          <h2 className="text-xl">About your courses</h2>
        </legend>
        <Kinds kinds={kinds.filter((kind) => !adminEmailKinds.includes(kind))} choices={choices} />
      </fieldset>
      {forAdmins.length > 0 && (
        <fieldset>
          <legend>
            <h2 className="text-xl">About your students</h2>
          </legend>
          <Kinds kinds={forAdmins} choices={choices} />
        </fieldset>
      )}
      {children}
      <div>
        <Button type="submit" size="lg">
          Save
        </Button>
      </div>
    </form>
  );
}

function Kinds({ kinds, choices }: { kinds: EmailKind[]; choices: EmailPreferences }) {
  return (
    <div className="mt-3 grid gap-2">
      {kinds.map((kind) => (
        <EmailKindCheckbox
          key={kind}
          name="kind"
          value={kind}
          isWanted={choices[kind] ?? false}
          label={emailKindMessages[kind].label}
        >
          {emailKindMessages[kind].about}
        </EmailKindCheckbox>
      ))}
    </div>
  );
}

type BoxProps = {
  name: string;
  value: string;
  isWanted: boolean;
  label: string;
  children: ReactNode;
};

export function EmailKindCheckbox({ name, value, isWanted, label, children }: BoxProps) {
  const about = `about-${value}`;
  return (
    <div>
      <input type="hidden" name={`${name}-shown`} value={value} />
      <Checkbox
        name={name}
        value={value}
        defaultChecked={isWanted}
        aria-describedby={about}
        label={<span className="font-medium">{label}</span>}
      />
      <p id={about} className="-mt-1 pl-[2.125rem] text-balance text-ink-soft">
        {children}
      </p>
    </div>
  );
}

export function InvalidPreferencesLink({ state }: { state: keyof typeof invalidPreferencesLink }) {
  const site = useSite();
  const { title, lead, body } = invalidPreferencesLink[state];
  return (
    <MessagePage title={title} lead={lead}>
      <p>
        {body} If you get emails that you do not want, write to{" "}
        <a href={`mailto:${site.email}`}>{site.email}</a>, and I’ll see to it by hand.
      </p>
      {state === "broken" && (
        <p>
          {/* Without the token of the link, which would lead here again. */}
          <ButtonLink href={preferencesPath} variant="outline">
            Choose your emails
          </ButtonLink>
        </p>
      )}
    </MessagePage>
  );
}
