import { type RefObject, useEffect } from "react";

/** Moves focus to the first invalid field each time the form is rejected. */
export function useFocusOnError(
  form: RefObject<HTMLFormElement | null>,
  problem: object | null,
): void {
  useEffect(() => {
    if (problem) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [form, problem]);
}
