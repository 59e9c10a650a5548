import { flushSync } from "react-dom";

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type Typed = { value: string; caret: number | null | undefined };

// Checkboxes keep their state by themselves; forms of site.ts are not rendered by React.
const fields =
  ":is(textarea, select, input:not([type=hidden],[type=file],[type=checkbox],[type=radio],[type=submit])):not([data-newsletter] *)";

const fieldOf = ({ target }: Event) =>
  target instanceof Element && target.matches(fields) ? (target as Field) : null;

const caretOf = (field: Field) => (field as HTMLInputElement).selectionStart;

function asSent(field: Field): string | undefined {
  if (!(field instanceof HTMLSelectElement)) return field.defaultValue;
  const options = [...field.options];
  return (options.find((option) => option.defaultSelected) ?? options[0])?.value;
}

/** By the element's own setter, not by the one that React defines over it: React sees a change. */
function put(field: Field, { value, caret }: Typed) {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
  if (document.activeElement === field && caret != null)
    (field as HTMLInputElement).setSelectionRange(caret, caret);
}

/** Keeps what is typed into a page before React has taken it over. React gives textareas and
 * selects the values that the server sent back, and knows nothing of the others. To be called
 * before that begins, and its result when React is there: then each field has what was typed in it,
 * and its listeners (drafts, previews, checks) get the events as if it had been typed now. */
export function restoreEarlyTyping(): () => void {
  const typed = new Map<Field, Typed>();
  const note = (field: Field) => typed.set(field, { value: field.value, caret: caretOf(field) });
  for (const field of document.querySelectorAll<Field>(fields))
    if (field.value !== asSent(field)) note(field);

  const listeners = {
    input(event: Event) {
      const field = fieldOf(event);
      if (field) note(field);
    },
    /** React may have reset the field since the last keystroke. */
    beforeinput(event: Event) {
      const field = fieldOf(event);
      const was = field && typed.get(field);
      if (was && field.value !== was.value) put(field, was);
    },
  };
  for (const [kind, listener] of Object.entries(listeners))
    document.addEventListener(kind, listener, true);

  return () => {
    for (const [kind, listener] of Object.entries(listeners))
      document.removeEventListener(kind, listener, true);
    // One after the other: fields that share one React state would otherwise overwrite each other.
    for (const [field, was] of typed) if (field.isConnected) flushSync(() => giveBack(field, was));
    typed.clear();
  };
}

function giveBack(field: Field, { value, caret }: Typed) {
  const at = field.value === value ? caretOf(field) : caret;
  // Through React's setter first: React ignores an event whose value it already knows.
  field.value = asSent(field) ?? "";
  put(field, { value, caret: at });
  for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
}
