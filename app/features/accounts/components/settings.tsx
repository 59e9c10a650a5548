import { type ReactNode, useEffect, useRef } from "react";
import { AccountPart } from "~/features/auth/components/account-frame.tsx";

const choices = [
  { value: "system", label: "As my device has it" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Night" },
] as const;

/** The theme of this browser. site.ts marks the current choice and saves changes. */
export function ThemeChoice() {
  const fields = useRef<HTMLFieldSetElement>(null);
  // When React renders these in the browser, site.ts has already run, so they are marked here.
  useEffect(() => {
    const chosen = document.documentElement.dataset.theme ?? "system";
    for (const choice of fields.current?.querySelectorAll("input") ?? [])
      choice.checked = choice.value === chosen;
  }, []);
  return (
    <AccountPart
      id="theme"
      title="Light or night"
      lead="This is kept in the browser that you are using now."
      needsScripts
    >
      <fieldset ref={fields}>
        <legend className="sr-only">Light or night</legend>
        {choices.map(({ value, label }) => (
          <label key={value} className="checkbox">
            <input type="radio" name="theme" value={value} data-theme-choice />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
    </AccountPart>
  );
}

type LineProps = {
  name: string;
  children: ReactNode;
  href: string;
  change: string;
};

export function SettingsLine({ name, children, href, change }: LineProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
      <dd>
        <a href={href} aria-label={`${change}: ${name}`}>
          {change}
        </a>
      </dd>
    </div>
  );
}
