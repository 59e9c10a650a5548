export type SiteToast = {
  title: string;
  description?: string | undefined;
  tone?: "default" | "success" | "destructive";
};

const cross =
  '<svg aria-hidden="true" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round"><path d="M18 6 6 18M6 6l12 12"/></svg>';

function container(): Element | null {
  const onPage = ".toast-list + [data-toasts]";
  return document.querySelector("dialog:modal [data-toasts]") ?? document.querySelector(onPage);
}

/** Shows a toast with the markup of ui/toast.tsx. @returns its element */
export function showToast({ title, description, tone = "default" }: SiteToast): HTMLElement {
  const toast = document.createElement("div");
  toast.className = "toast";
  toast.dataset.tone = tone;
  toast.innerHTML = `<div class="toast-text"></div><button type="button" class="toast-close" data-toast-close aria-label="Dismiss">${cross}</button>`;
  for (const [part, text] of Object.entries({ title, description }))
    if (text) {
      const line = document.createElement("p");
      line.className = `toast-${part}`;
      line.textContent = text;
      toast.firstChild?.appendChild(line);
    }
  toast.addEventListener("animationend", ({ animationName }) => {
    if (animationName === "toast-out") toast.remove();
  });
  container()?.append(toast);
  return toast;
}

export function closeToast(button: Element): void {
  const toast = button.closest<HTMLElement>(".toast");
  if (toast) toast.hidden = true;
}

export function escapeToasts({ key }: KeyboardEvent): void {
  if (key !== "Escape") return;
  for (const toast of document.querySelectorAll<HTMLElement>(".toast")) toast.hidden = true;
}

/** An error must not cover what has the focus (WCAG 2.4.11): toast.css says how far it reaches. */
export function showFocus({ animationName, target }: AnimationEvent): void {
  if (animationName === "toast-in" && (target as Element).matches("[data-tone=destructive]"))
    document.querySelector("main :focus")?.scrollIntoView({ block: "nearest" });
}

/** Reads something out that is seen elsewhere. */
export function announce(text: string | null): void {
  const words = document.createElement("p");
  words.className = "sr-only";
  words.textContent = text;
  container()?.append(words);
  setTimeout(() => words.remove(), 5000);
}

/** Live regions that arrive with the page are silent: says the server's toasts once more. */
export function announceToasts(): void {
  for (const toast of document.querySelectorAll(".toast-list .toast-text"))
    setTimeout(() => announce(toast.textContent), 500);
}
