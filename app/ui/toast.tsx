import { X } from "lucide";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

export type ToastTone = "default" | "success" | "destructive";
export type ToastProps = { title: string; description?: string; tone?: ToastTone };

/** A message that leaves by itself after 10 s, news with a description after 30, not while pointed
 * at or focused; a destructive one stays until closed. CSS does all of that; only the close button
 * needs site.ts. Announced by the region around it. site.ts builds the same markup in the
 * browser. */
export function ToastMessage({ title, description, tone = "default" }: ToastProps) {
  return (
    <div className="toast" data-tone={tone} suppressHydrationWarning>
      <div className="toast-text">
        <p className="toast-title">{title}</p>
        {description && <p className="toast-description">{description}</p>}
      </div>
      <button type="button" className="toast-close" aria-label="Dismiss" data-toast-close>
        <Icon of={X} />
      </button>
    </div>
  );
}

/** Where site.ts puts toasts made in the browser. React never looks into it. The region of the page
 * has one, and each Dialog its own, since a modal dialog silences everything outside of it. */
export function ToastContainer() {
  return (
    <div
      data-toasts
      aria-live="polite"
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: an empty string; tells React to leave the children alone
      dangerouslySetInnerHTML={{ __html: "" }}
    />
  );
}

/** Where toasts appear: those of the server as children, those of the browser in a container beside
 * them. One per document, present from the start, since screen readers only follow live regions
 * that they have seen before. */
export function ToastRegion({ children }: { children?: ReactNode }) {
  return (
    <section className="toasts" aria-label="Notifications">
      <div className="toast-list" aria-live="polite">
        {children}
      </div>
      <ToastContainer />
    </section>
  );
}
