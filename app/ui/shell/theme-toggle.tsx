import { Moon, Sun, SunMoon } from "lucide-react";

const choices = [
  { choice: "system", label: "Theme: as the system", Icon: SunMoon },
  { choice: "light", label: "Theme: light", Icon: Sun },
  { choice: "dark", label: "Theme: night", Icon: Moon },
] as const;

/** Goes round system, light, night. All three faces are in the markup, and `<html data-theme>`
 * decides which one is displayed and so read out; site.ts only changes that attribute. Not there
 * when scripts are off. */
export function ThemeToggle() {
  return (
    <button type="button" className="theme-toggle" data-theme-toggle>
      {choices.map(({ choice, label, Icon }) => (
        <span key={choice} data-choice={choice}>
          <Icon aria-hidden="true" strokeWidth={1.75} />
          <span className="theme-toggle-label">{label}</span>
        </span>
      ))}
    </button>
  );
}
