import { Eye, EyeOff } from "lucide-react";
import { Input, type InputProps } from "./input";

/**
 * A password field with a button that shows what was typed. The button is a toggle (aria-pressed)
 * that site.ts drives through `data-password-toggle`; without scripts it is not there.
 */
export function PasswordInput(props: Omit<InputProps, "type">) {
  return (
    <div className="password">
      <Input
        type="password"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        {...props}
      />
      <button
        type="button"
        data-password-toggle
        aria-pressed="false"
        aria-label="Show password"
        suppressHydrationWarning
      >
        <Eye aria-hidden="true" size={20} strokeWidth={1.75} />
        <EyeOff aria-hidden="true" size={20} strokeWidth={1.75} />
      </button>
    </div>
  );
}
