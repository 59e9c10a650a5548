import { closest } from "./closest.ts";

export function togglePassword(event: Event): void {
  const button = closest(event, "[data-password-toggle]");
  const input = button?.parentElement?.querySelector("input");
  if (!button || !input) return;
  const shown = input.type === "text";
  input.type = shown ? "password" : "text";
  button.setAttribute("aria-pressed", String(!shown));
}

export function printPage(event: Event): void {
  if (closest(event, "[data-print]")) print();
}

/** Menus close by themselves (popover), but a page that routes in the browser stays open. */
export function closeMenuOnFollow(event: Event): void {
  closest(event, "a[href]")?.closest<HTMLElement>("[popover]")?.hidePopover?.();
}

/** Where there is room, what was open as a sheet stands in its place; the widths of ui/styles. */
export function closeMenusWhenTurned(): void {
  for (const width of ["54rem", "64rem"])
    matchMedia(`(min-width: ${width})`).addEventListener("change", () => {
      for (const menu of document.querySelectorAll<HTMLElement>("[popover]")) menu.hidePopover?.();
    });
}
