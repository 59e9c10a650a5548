import { type RefObject, useEffect } from "react";

/** After each refusal, focus goes to the first field of the form that is wrong. */
export function useFocusOnComplaint(
  form: RefObject<HTMLFormElement | null>,
  problem: object | null,
): void {
  useEffect(() => {
    if (problem) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [form, problem]);
}
