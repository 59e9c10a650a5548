import { mark, unmark } from "./fields.ts";
import { announce, showToast } from "./toasts.ts";

/** How long an answer may take. */
const patienceMs = 15_000;

/** The texts of the spec, section 8. */
const success =
  "Check your email shortly for a confirmation email (required to be subscribed). I'm glad you're here.";
const failure = "Something went wrong. Please try again.";

type Answer = { isDone: boolean; reason?: string | undefined; field?: string | undefined };

let fieldError: HTMLElement | undefined;

/** Sends a newsletter form in place; without this script it is an ordinary form. */
export async function sendNewsletterForm(event: SubmitEvent): Promise<void> {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches("[data-newsletter]")) return;
  event.preventDefault();
  const fields = form.querySelector("fieldset");
  const button = form.querySelector<HTMLElement>("[type=submit]");
  if (!fields || fields.disabled) return;
  const focused = document.activeElement as HTMLElement | null;
  // What is disabled is not sent, so it is read before.
  const body = new FormData(form);
  const setBusy = (isBusy: boolean) => {
    fields.disabled = isBusy;
    if (isBusy) button?.setAttribute("aria-busy", "true");
    else button?.removeAttribute("aria-busy");
  };
  fieldError?.remove();
  unmark(form);
  setBusy(true);
  announce("Subscribing...");
  const { isDone, reason, field } = await post(form.action, body);
  setBusy(false);
  const wrong = form.querySelector<HTMLInputElement>(`[name="${field}"]`);
  if (isDone) {
    form.reset();
    form.closest("dialog")?.close();
    showToast({ title: success, tone: "success" });
  } else {
    const isSeen = wrong && reason ? mark(wrong, reason) : false;
    const description = isSeen ? undefined : reason;
    fieldError = showToast({ title: failure, description, tone: "destructive" });
  }
  // Disabling took the focus away. A field would open a phone's keyboard once more for nothing.
  const isElsewhere = document.activeElement?.matches(":not(body, dialog, :disabled)");
  if (!isElsewhere && form.contains(focused)) (wrong ?? (isDone ? button : focused))?.focus();
}

async function post(address: string, body: FormData): Promise<Answer> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), patienceMs);
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: { Accept: "application/json" },
      body,
      signal: patience.signal,
      // Anyone who goes on to another page at once is subscribed all the same.
      keepalive: true,
    });
    const answer = await response.json();
    return {
      isDone: response.ok && answer.ok === true,
      // Only what they can do something about is of use to them: a mistake, a limit.
      reason: [400, 429].includes(response.status) ? answer.error.message : undefined,
      field: answer.error?.field,
    };
  } catch {
    return { isDone: false };
  } finally {
    clearTimeout(timer);
  }
}
