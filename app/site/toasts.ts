import { closest } from "./closest.ts";

export type SiteToast = {
  title: string;
  description?: string | undefined;
  tone?: "default" | "success" | "destructive";
};

const pageToasts = ".toast-list + [data-toasts]";

function container(): Element | null {
  return document.querySelector("dialog:modal [data-toasts]") ?? document.querySelector(pageToasts);
}

/** Shows a toast with the markup of ui/toast.tsx. @returns its element */
export function showToast({ title, description, tone = "default" }: SiteToast): HTMLElement {
  const toast = document.createElement("div");
  toast.className = "toast";
  toast.dataset.tone = tone;
  const text = toast.appendChild(document.createElement("div"));
  text.className = "toast-text";
  for (const [part, words] of Object.entries({ title, description })) {
    if (!words) continue;
    const line = text.appendChild(document.createElement("p"));
    line.className = `toast-${part}`;
    line.textContent = words;
  }
  const close = document.createElement("button");
  close.type = "button";
  close.className = "toast-close";
  close.dataset.toastClose = "";
  close.setAttribute("aria-label", "Dismiss");
  close.innerHTML =
    '<svg aria-hidden="true" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round"><path d="M18 6 6 18M6 6l12 12"/></svg>';
  toast.append(close);
  toast.addEventListener("animationend", ({ animationName }) => {
    if (animationName === "toast-out") toast.remove();
  });
  if (tone === "destructive") toast.role = "alert";
  container()?.append(toast);
  return toast;
}

export function closeToast(event: Event): void {
  const toast = closest(event, "[data-toast-close]")?.closest<HTMLElement>(".toast");
  if (toast) toast.hidden = true;
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
