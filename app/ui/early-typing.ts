import { flushSync } from "react-dom";
import { setRaw, type TextField, typeInto } from "./type-into.ts";

type Typed = { value: string; caret: number | null };

const isTick = (field: TextField): field is HTMLInputElement =>
  field instanceof HTMLInputElement && ["checkbox", "radio"].includes(field.type);

const untyped = new Set(["hidden", "file", "submit", "button", "reset", "image"]);

function isField(target: EventTarget | null): target is TextField {
  return (
    (target instanceof HTMLInputElement && !untyped.has(target.type)) ||
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLSelectElement && !target.multiple)
  );
}

function isAsSent(field: TextField): boolean {
  if (field instanceof HTMLSelectElement) {
    const options = [...field.options];
    const sent = options.findLast((option) => option.defaultSelected) ?? options[0];
    return field.value === (sent?.value ?? "");
  }
  return isTick(field)
    ? field.checked === field.defaultChecked
    : field.value === field.defaultValue;
}

const read = (field: TextField): Typed => ({
  value: isTick(field) ? String(field.checked) : field.value,
  caret: "selectionStart" in field && !isTick(field) ? field.selectionStart : null,
});

function placeCaret(field: TextField, caret: number | null) {
  const isHere = document.activeElement === field && !(field instanceof HTMLSelectElement);
  if (isHere && caret !== null) field.setSelectionRange(caret, caret);
}

/**
 * Keeps what is typed into a page before React has taken it over. React gives textareas and selects
 * the values that the server sent back, and knows nothing of the others. To be called before
 * that begins, and its result when React is there: then each field has what was typed in it, and
 * whoever follows it (drafts, previews, checks) is told as if it had been typed now.
 */
export function keepEarlyTyping(): () => void {
  const typed = new Map<TextField, Typed>();
  for (const field of document.querySelectorAll("input, textarea, select"))
    if (isField(field) && !isAsSent(field)) typed.set(field, read(field));

  function onTyped({ target }: Event) {
    if (isField(target)) typed.set(target, read(target));
  }
  /** React may have been at a field since its last letter; the next one belongs to the words. */
  function beforeTyped({ target }: Event) {
    const before = isField(target) ? typed.get(target) : undefined;
    if (!isField(target) || !before || isTick(target) || target.value === before.value) return;
    setRaw(target, before.value);
    placeCaret(target, before.caret);
  }
  document.addEventListener("input", onTyped, true);
  document.addEventListener("beforeinput", beforeTyped, true);

  return () => {
    document.removeEventListener("input", onTyped, true);
    document.removeEventListener("beforeinput", beforeTyped, true);
    // Each is answered before the next: a list that lives in one state would forget the first.
    for (const [field, was] of typed) if (field.isConnected) flushSync(() => putBack(field, was));
    typed.clear();
  };
}

function putBack(field: TextField, { value, caret }: Typed) {
  if (isTick(field)) {
    field.checked = value !== "true";
    return field.click();
  }
  const at = read(field).value === value ? read(field).caret : caret;
  // Through React's setter: it notices nothing where the words are those that it knows.
  if (!(field instanceof HTMLSelectElement)) field.value = field.defaultValue;
  typeInto(field, value);
  placeCaret(field, at);
}
