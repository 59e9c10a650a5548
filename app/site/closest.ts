/** The nearest element around what an event happened on, itself included. */
export function closest<T extends Element>(event: Event, selector: string): T | null {
  return event.target instanceof Element ? event.target.closest<T>(selector) : null;
}
