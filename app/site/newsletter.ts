import { announce, showToast } from "./toasts.ts";

const patienceMs = 15_000;

/** The toast of the last failure. */
let failed: HTMLElement | undefined;

/** Sends a newsletter form in place; without this script it is an ordinary form. */
export async function sendNewsletterForm(event: SubmitEvent): Promise<void> {
  const form = event.target as HTMLFormElement;
  if (!form.matches("[data-newsletter]")) return;
  event.preventDefault();
  const fields = form.querySelector("fieldset");
  const button = form.querySelector<HTMLElement>("[type=submit]");
  if (!fields || fields.disabled) return;
  const focused = document.activeElement as HTMLElement | null;
  // What is disabled is not sent, so it is read before.
  const body = new FormData(form);
  // For emails in the reader's morning.
  body.set("timeZone", Intl.DateTimeFormat().resolvedOptions().timeZone);
  failed?.remove();
  unmark(form);
  fields.disabled = true;
  button?.setAttribute("aria-busy", "true");
  announce("Subscribing...");
  const { ok, message = failure, reason, field } = await post(form.action, body);
  fields.disabled = false;
  button?.removeAttribute("aria-busy");
  const wrong = form.querySelector<HTMLInputElement>(`[name="${field}"]`);
  if (ok) {
    form.reset();
    form.closest("dialog")?.close();
    showToast({ title: message, tone: "success" });
  } else {
    const isSeen = wrong && reason && mark(wrong, reason);
    const description = isSeen ? undefined : reason;
    failed = showToast({ title: message, description, tone: "destructive" });
  }
  // Disabling took the focus away. A field would open a phone's keyboard once more for nothing.
  const isElsewhere = document.activeElement?.matches(":not(body, dialog, :disabled)");
  if (!isElsewhere && form.contains(focused)) (wrong ?? (ok ? button : focused))?.focus();
}

type Answer = { ok?: true; message?: string; reason?: string; field?: string };

/** The spec's (8). */
const failure = "Something went wrong. Please try again.";

async function post(address: string, body: FormData): Promise<Answer> {
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: { Accept: "application/json" },
      body,
      signal: AbortSignal.timeout(patienceMs),
      // Anyone who goes on to another page at once is subscribed all the same.
      keepalive: true,
    });
    const { error, ...answer } = await response.json();
    return {
      ...answer,
      // Only what they can do something about is of use to them: a mistake, a limit.
      reason: [400, 429].includes(response.status) ? error.message : undefined,
      field: error?.field,
    };
  } catch {
    return {};
  }
}

/** Says below a field what is wrong with it, in the slot that ui/field.tsx has for that, until it is
 * changed. @returns whether it can be seen */
function mark(field: HTMLInputElement, reason: string): boolean {
  const slot = field.parentElement?.querySelector<HTMLElement>(".field-slot");
  if (!slot) return false;
  slot.innerHTML =
    '<svg aria-hidden="true" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round"><circle cx="12" cy="12" r="10"/><path d="M12 8v4m0 4h.01"/></svg>';
  slot.append(reason);
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", slot.id);
  field.addEventListener("input", () => unmark(field.form), { once: true });
  return slot.getClientRects().length > 0;
}

/** Takes back what was said of a form's fields, here or by the server. */
function unmark(form: HTMLFormElement | null): void {
  for (const slot of form?.querySelectorAll(".field-slot") ?? []) slot.textContent = "";
  for (const error of form?.querySelectorAll<HTMLElement>(".field-error:not(.field-slot)") ?? [])
    error.hidden = true;
  for (const field of form?.querySelectorAll("[aria-invalid]") ?? [])
    for (const name of ["aria-invalid", "aria-describedby"]) field.removeAttribute(name);
}
