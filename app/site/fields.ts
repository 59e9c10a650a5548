/**
 * Says below a field what is wrong with it, in the slot that ui/field.tsx has for that, until it
 * is changed. @returns whether it can be seen
 */
export function mark(field: HTMLInputElement, reason: string): boolean {
  const slot = field.parentElement?.querySelector<HTMLElement>(".field-slot");
  if (!slot) return false;
  slot.innerHTML =
    '<svg aria-hidden="true" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round"><circle cx="12" cy="12" r="10"/><path d="M12 8v4m0 4h.01"/></svg>';
  slot.append(Object.assign(document.createElement("span"), { textContent: reason }));
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", slot.id);
  field.addEventListener("input", () => unmark(field.form), { once: true });
  return slot.getClientRects().length > 0;
}

/** Takes back what was said of a form's fields, here or by the server. */
export function unmark(form: HTMLFormElement | null): void {
  for (const slot of form?.querySelectorAll(".field-slot") ?? []) slot.textContent = "";
  for (const error of form?.querySelectorAll<HTMLElement>(".field-error:not(.field-slot)") ?? [])
    error.hidden = true;
  for (const field of form?.querySelectorAll("[aria-invalid]") ?? [])
    for (const name of ["aria-invalid", "aria-describedby"]) field.removeAttribute(name);
}
