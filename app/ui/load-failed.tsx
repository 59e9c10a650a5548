import { useEffect } from "react";
import { Notice } from "./notice.tsx";

/** In the place of what could not be loaded: the message as a toast, and below it what to do, which
 * also stands there when scripts are off. */
export function LoadFailed({ message, href }: { message: string; href: string }) {
  useEffect(() => {
    const detail = { title: "Error", description: message, tone: "destructive" };
    // React may be faster than site.ts, which answers by preventing the default.
    const isUnheard = () =>
      document.dispatchEvent(new CustomEvent("toast", { detail, cancelable: true }));
    if (!isUnheard()) return;
    addEventListener("load", isUnheard, { once: true });
    return () => removeEventListener("load", isUnheard);
  }, [message]);
  return (
    <Notice tone="destructive" title={message}>
      <p>
        Nothing is lost. <a href={href}>Try again</a>
      </p>
    </Notice>
  );
}
