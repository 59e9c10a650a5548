import { useEffect, useRef } from "react";

/** After each refusal, focus goes to the first field of the form that is wrong. */
export function useFocusOnComplaint(problem: object | null) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (problem) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [problem]);
  return form;
}
