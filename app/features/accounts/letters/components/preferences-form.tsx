import type { ReactNode } from "react";
import { Button } from "~/ui/button.tsx";
import { Checkbox } from "~/ui/checkbox.tsx";
import { type LetterChoices, letterKinds } from "../schema.ts";
import { letterWords } from "../texts.ts";

type Props = {
  choices: LetterChoices;
  /** A letter that is not of the account: the newsletter. */
  children?: ReactNode;
};

/** One box a letter. The form says which were shown: what it does not know of, it leaves alone. */
export function PreferencesForm({ choices, children }: Props) {
  return (
    <form method="post" className="grid gap-8">
      <fieldset>
        <legend>
          <h2 className="text-xl">About your courses</h2>
        </legend>
        <div className="mt-3 grid gap-2">
          {letterKinds.map((kind) => (
            <LetterBox
              key={kind}
              name="letter"
              value={kind}
              isWanted={choices[kind]}
              label={letterWords[kind].label}
            >
              {letterWords[kind].about}
            </LetterBox>
          ))}
        </div>
      </fieldset>
      {children}
      <div>
        <Button type="submit" size="lg">
          Save
        </Button>
      </div>
    </form>
  );
}

type BoxProps = {
  name: string;
  value: string;
  isWanted: boolean;
  label: string;
  children: ReactNode;
};

/** A letter with its box, ticked while it is wanted. */
export function LetterBox({ name, value, isWanted, label, children }: BoxProps) {
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
