import { Moon, Sun, SunMoon } from "lucide";
import { Icon } from "../icon.tsx";

const choices = [
  { choice: "system", label: "Theme: same as this device", icon: SunMoon },
  { choice: "light", label: "Theme: light", icon: Sun },
  { choice: "dark", label: "Theme: night", icon: Moon },
] as const;

/** Goes round system, light, night. All three faces are in the markup, and `<html data-theme>`
 * decides which one is displayed and so read out; site.ts only changes that attribute. Not there
 * when scripts are off. */
export function ThemeToggle() {
  return (
    <button type="button" className="theme-toggle" data-theme-toggle>
      {choices.map(({ choice, label, icon }) => (
        <span key={choice} data-choice={choice}>
          <Icon of={icon} />
          <span className="theme-toggle-label">{label}</span>
        </span>
      ))}
    </button>
  );
}
