export type TextField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Puts a value into a field, past the setter that React lays over the element's own. */
export function setRaw(field: TextField, value: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
}

/** Puts words into a field as if they had been typed, so that everybody who listens hears of it. */
export function typeInto(field: TextField, value: string): void {
  setRaw(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  if (field instanceof HTMLSelectElement)
    field.dispatchEvent(new Event("change", { bubbles: true }));
}
