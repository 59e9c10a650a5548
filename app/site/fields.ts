/** Says below a field what is wrong with it, with the markup of ui/field.tsx, until it is changed. */
export function mark(field: HTMLInputElement, reason: string): void {
  const error = document.createElement("p");
  error.id = `${field.id}-error`;
  error.className = "field-error";
  error.dataset.mark = "";
  error.innerHTML =
    '<svg aria-hidden="true" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round"><circle cx="12" cy="12" r="10"/><path d="M12 8v4m0 4h.01"/></svg>';
  error.append(Object.assign(document.createElement("span"), { textContent: reason }));
  field.parentElement?.append(error);
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", error.id);
  field.addEventListener("input", () => unmark(field.form), { once: true });
}

/** Takes back what was said of a form's fields. */
export function unmark(form: HTMLFormElement | null): void {
  for (const error of form?.querySelectorAll("[data-mark]") ?? []) {
    const field = error.parentElement?.querySelector("[aria-describedby]");
    for (const name of ["aria-invalid", "aria-describedby"]) field?.removeAttribute(name);
    error.remove();
  }
}
