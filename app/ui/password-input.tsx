import { Eye, EyeOff } from "lucide";
import { useState } from "react";
import { useHydrated } from "./hydrated.ts";
import { Icon } from "./icon.tsx";
import { Input, type InputProps } from "./inputs.tsx";

/** A password field with a button that shows what was typed: a toggle (aria-pressed). On pages
 * without React site.ts drives it, found by `data-password-toggle`; once React is there, React
 * does, because it would turn the type back at its next render. Without scripts it is not there. */
export function PasswordInput(props: Omit<InputProps, "type">) {
  const hydrated = useHydrated();
  const [shown, setShown] = useState(false);
  return (
    <div className="password">
      <Input
        type={shown ? "text" : "password"}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        suppressHydrationWarning
        {...props}
      />
      <button
        type="button"
        data-password-toggle={hydrated ? undefined : ""}
        // A boolean and no longer a string: so React writes it even if site.ts got there first.
        aria-pressed={hydrated ? shown : "false"}
        aria-label="Show password"
        onClick={() => setShown(!shown)}
        suppressHydrationWarning
      >
        <Icon of={Eye} width="20" height="20" />
        <Icon of={EyeOff} width="20" height="20" />
      </button>
    </div>
  );
}
